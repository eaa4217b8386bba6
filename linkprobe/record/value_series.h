// The windows of a line as series of one value.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "linkprobe/record/comparison.h"
#include "linkprobe/record/difference.h"
#include "linkprobe/record/line_window.h"

namespace fairlead::linkprobe {

bool IsLoss(LineValue value);

// The windows that have the value; `source` matters for bandwidth only. Not for losses. Delays and
// losses of windows that a bandwidth test shaped are the test's, and are left out here and below.
std::vector<double> SeriesOf(const std::vector<LineWindow>& windows, LineValue value,
                             const std::string& source);
// The windows in which any probe's fate was decided. For losses only.
Trials TrialsOf(const std::vector<LineWindow>& windows, LineValue value);

// The sources that any bandwidth of these windows has.
std::set<std::string> BandwidthSources(const std::vector<LineWindow>& windows);

// What differences a rung can show at all: a stamp taken in software is off by up to 20 us as the
// host wakes, one taken in hardware by 1 us; a TCP round trip contains the peer's scheduling.
double ResolutionOf(LineValue value, TransportRung rung);

}  // namespace fairlead::linkprobe
