// Round trips on their way from an engine's thread to a bandwidth test.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>

#include "common/base/clock.h"
#include "common/base/mailbox.h"
#include "linkprobe/bandwidth/round_trips.h"
#include "linkprobe/engine/engine_settings.h"
#include "linkprobe/saturate/saturation_run.h"

namespace fairlead::linkprobe {

// Thread-safe.
class RoundTripTap {
 public:
  // A reply that the engine has verified; only first ones count.
  void Add(const SeenReply& seen);

  // The median of all so far; nothing below `least` of them.
  std::optional<Nanoseconds> Median(std::size_t least) const;

  // What came since the last Clear, or since it was last read.
  Mailbox<SeenRoundTrip>& mailbox() { return mailbox_; }
  void Clear();

 private:
  Mailbox<SeenRoundTrip> mailbox_{4096};
  mutable std::mutex mutex_;
  RoundTrips trips_{1024};
  // By path: probes that the peer has not seen, of those before the newest it has.
  std::array<std::uint64_t, 8> lost_{};
};

}  // namespace fairlead::linkprobe
