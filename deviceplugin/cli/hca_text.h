// HCAs as a person reads them.
#pragma once

#include <cstddef>
#include <string>

#include "deviceplugin/cli/describe_node.h"

namespace fairlead::deviceplugin {

// All that is known of one HCA: its identity, its ports, and the GIDs of each in the order of their
// rank, with what is wrong with the best one; those that are not used in one line for each reason,
// since there may be hundreds. Pure.
std::string HcaDetails(const NodeListing& listing, std::size_t hca);

// A table with one line for each port. Pure.
std::string HcaTable(const NodeListing& listing);

}  // namespace fairlead::deviceplugin
