// What the names of counters mean: unit, width, and how they are called in metrics.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "linkprobe/counters/reading.h"

namespace fairlead::linkprobe {

struct CounterMeaning {
  std::string metric;         // without the program's prefix; ends in _total unless it is a gauge
  std::string_view help;      // where the unit comes from, too
  double factor = 1;          // a count times this is in the metric's base unit
  std::uint32_t bits = 64;    // wide; begins at 0 again after all ones
  std::uint64_t sticks_at{};  // a counter that stays at all ones instead; 0: it does not
  bool gauge = false;
  std::optional<std::uint32_t> priority{};  // of pause frames; absent where for all
  std::string_view direction{};             // of pause frames: "transmit" or "receive"
};

// Of any counter whatever: one whose name is not known keeps it, as a count in a unit of the
// driver's own. Nothing for what is no counter ("lifespan") and for those of ethtool that are not
// about pause frames. Pure.
//
// Sources: InfiniBand Architecture Specification 16.1.3.5 and 16.1.4.5 (PortCounters, which stay at
// all ones; PortXmitData and PortRcvData count 32-bit words); the kernel's
// drivers/infiniband/core/sysfs.c for their widths, and the mlx5, bnxt_re, irdma, efa and rxe
// drivers; Documentation/networking for the units of pause durations (microseconds).
std::optional<CounterMeaning> MeaningOf(CounterSource source, std::string_view name);

}  // namespace fairlead::linkprobe
