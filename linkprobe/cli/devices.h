// `fairlead-linkprobe devices`
#pragma once

#include <string>
#include <vector>

#include "linkprobe/verbs/device_inventory.h"

namespace fairlead::linkprobe {

// The devices as a person or, with `json`, a program reads them; ends with which one probing would
// use, or why none. Pure.
std::string DescribeDevices(const std::vector<RdmaDevice>& devices, bool json);

}  // namespace fairlead::linkprobe
