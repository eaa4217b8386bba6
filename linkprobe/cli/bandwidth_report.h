// What `fairlead-linkprobe bw` prints.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "common/base/clock.h"
#include "linkprobe/advice/window_advice.h"
#include "linkprobe/bandwidth/saturation_ramp.h"
#include "linkprobe/saturate/line_test.h"

namespace fairlead::linkprobe {

// One finished test.
struct BandwidthReport {
  std::string peer;
  std::string line;
  LineTestFound found{};
  std::optional<Nanoseconds> idle_rtt{};
  std::uint64_t spent_bytes = 0;
  std::uint64_t quota_bytes = 0;
  std::optional<std::uint64_t> declared_bits_per_second{};

  // On the wire, headers included; nothing where nothing was measured.
  std::optional<double> MeasuredBitsPerSecond() const;
};

// A line while it runs, without a line break.
std::string ProgressLine(const RampProgress& progress, const std::string& peer,
                         std::uint64_t spent_bytes, bool json);

// The closing lines, with the advice where there is enough to advise by.
std::string DescribeBandwidth(const BandwidthReport& report, bool json);

}  // namespace fairlead::linkprobe
