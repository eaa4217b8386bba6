#include "linkprobe/saturate/round_trip_tap.h"

namespace fairlead::linkprobe {
namespace {

constexpr std::uint8_t kEcnMask = 0b11;  // RFC 3168: both bits are Congestion Experienced

bool IsMarked(std::uint8_t traffic_class) { return (traffic_class & kEcnMask) == kEcnMask; }

}  // namespace

void RoundTripTap::Follow(const std::optional<std::string>& peer_node) {
  {
    std::lock_guard lock(mutex_);
    all_ = false;
    peer_ = peer_node;
    trips_ = RoundTrips(1024);
    lost_.fill(std::nullopt);
  }
  Clear();
}

void RoundTripTap::Add(const SeenReply& seen) {
  if (seen.outcome != ReplyOutcome::kAnswered) return;
  const Packet& packet = seen.packet;
  SeenRoundTrip trip{.at = seen.raw.received,
                     .rtt = seen.raw.received - seen.sent - Nanoseconds(packet.t4 - packet.t3)};
  trip.ecn = (packet.hop_limit_known && IsMarked(packet.rx_tos)) ||
             (seen.raw.traffic_class && IsMarked(*seen.raw.traffic_class));
  {
    std::lock_guard lock(mutex_);
    if (!all_ && seen.peer_node != peer_) return;
    const std::uint64_t lost = packet.sequence + packet.rx_ahead - packet.responder_rx;
    std::optional<std::uint64_t>& before = lost_[packet.path % lost_.size()];
    trip.loss = lost > before.value_or(lost);
    before = lost;
    trips_.Add(trip.at, trip.rtt);
  }
  (void)mailbox_.Push(trip);  // a test that does not read for so long is over anyway
}

std::optional<Nanoseconds> RoundTripTap::Median(std::size_t least) const {
  std::lock_guard lock(mutex_);
  return trips_.Median(MonotonicTime::min(), least);
}

void RoundTripTap::Clear() {
  while (mailbox_.TryPop()) {
  }
}

}  // namespace fairlead::linkprobe
