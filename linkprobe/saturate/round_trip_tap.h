// Round trips on their way from engines' threads to a bandwidth test.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "common/base/clock.h"
#include "common/base/mailbox.h"
#include "linkprobe/bandwidth/round_trips.h"
#include "linkprobe/engine/engine_settings.h"
#include "linkprobe/saturate/saturation_run.h"

namespace fairlead::linkprobe {

// Thread-safe.
class RoundTripTap {
 public:
  // Takes replies of that peer alone from now on, and forgets all before; nothing: of no peer.
  // Until the first call those of every peer count.
  void Follow(const std::optional<std::string>& peer_node);

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
  bool all_ = true;
  std::optional<std::string> peer_;
  RoundTrips trips_{1024};
  // By path: probes that the peer has not seen, of those before the newest it has; absent before
  // the first reply.
  std::array<std::optional<std::uint64_t>, 8> lost_{};
};

}  // namespace fairlead::linkprobe
