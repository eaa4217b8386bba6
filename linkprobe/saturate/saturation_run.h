// The loop that lets a sender follow the ramp.
#pragma once

#include <cstdint>
#include <functional>

#include "common/base/clock.h"
#include "common/base/mailbox.h"
#include "common/base/result.h"
#include "linkprobe/bandwidth/byte_budget.h"
#include "linkprobe/bandwidth/saturation_ramp.h"
#include "linkprobe/transport/bulk.h"

namespace fairlead::linkprobe {

// A probe's answer beside the test.
struct SeenRoundTrip {
  MonotonicTime at{};
  Nanoseconds rtt{};
  bool ecn = false;   // it, or the probe that it answers, was marked
  bool loss = false;  // a probe before it did not arrive
};

struct SaturationInputs {
  BulkSender& sender;  // connected
  ByteBudget& budget;
  Mailbox<SeenRoundTrip>& round_trips;
  const Clock& clock;
  std::uint32_t path_mtu_bytes = 4096;
  // Called five times a second; false ends the test.
  std::function<bool(const RampProgress&)> watch = [](const RampProgress&) { return true; };
};

// Runs until the ramp has finished, and no longer than `limit`. An error when the sender's queue
// pairs fail, as they do when the peer is gone, when the watcher ends it, or at the limit.
Result<SaturationResult> RunSaturation(const SaturationInputs& inputs, const RampSettings& settings,
                                       Nanoseconds limit);

}  // namespace fairlead::linkprobe
