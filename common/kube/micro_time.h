// Times as the API server writes them.
#pragma once

#include <string>

#include "common/base/clock.h"

namespace fairlead::kube {

// A MicroTime of meta/v1, in UTC and rounded down: "2026-01-02T15:04:05.000123Z".
std::string MicroTime(WallTime time);

}  // namespace fairlead::kube
