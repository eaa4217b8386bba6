// A line's values as people read them.
#pragma once

#include <string>
#include <string_view>

#include "linkprobe/record/comparison.h"

namespace fairlead::linkprobe {

// "RTT p50", "loss forward", "bandwidth (train)".
std::string ValueTitle(const ValueComparison& compared);

// "36.21 ms", "0.10 %", "9.412 Gbps".
std::string ShowValue(LineValue value, double number);
// The same with its sign; of losses in percentage points: "-310.5 us", "+0.10 pp".
std::string ShowDifference(LineValue value, double number);

// What the recording says of a line: "10.0.0.2:7473 path 0, rdma_ud_sw".
std::string LineTitle(const LineKey& key);

// The text where it is printable ASCII, else quoted, so that no terminal obeys it.
std::string Shown(std::string_view text);

// A day and minute in UTC: "2026-11-30 06:30 UTC".
std::string ShowMinute(WallTime time);

// What a reader must know of a recording: host, length, rate, what was passed over and why.
std::string RecordingSentence(const Recording& recording);

}  // namespace fairlead::linkprobe
