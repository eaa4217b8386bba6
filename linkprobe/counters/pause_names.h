// The names that drivers give to pause frames in ethtool's statistics.
#pragma once

#include <optional>
#include <string_view>

#include "linkprobe/counters/meaning.h"

namespace fairlead::linkprobe {

// Nothing for a name that is not of pause frames or of their duration. Those of a priority (PFC)
// carry it; those without are of the whole link (IEEE 802.3 annex 31B). Pure.
std::optional<CounterMeaning> PauseMeaning(std::string_view name);

}  // namespace fairlead::linkprobe
