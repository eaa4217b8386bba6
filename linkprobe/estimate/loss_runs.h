// Losses of a stretch of probes, by direction.
#pragma once

#include <cstdint>

#include "common/base/clock.h"
#include "linkprobe/estimate/probe_ledger.h"
#include "linkprobe/estimate/window_values.h"

namespace fairlead::linkprobe {

// One direction: what LossCount says, the longest run of losses and the late ones. A run goes on
// over probes that never entered this direction.
struct LossRun {
  LossCount count;
  std::uint64_t longest = 0;
  std::uint64_t late = 0;
};

struct LossRuns {
  LossRun forward;
  LossRun reverse;
  std::uint64_t unknown = 0;
};

// Over the kept probes sent after `from` whose fate is decided.
LossRuns CountLosses(const ProbeLedger& ledger, MonotonicTime from);

}  // namespace fairlead::linkprobe
