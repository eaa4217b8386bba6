// The responder's side of a session: what it has seen, and the reply to each probe.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "common/limit/token_bucket.h"
#include "linkprobe/reflect/drop_reason.h"
#include "linkprobe/reflect/replay_window.h"
#include "linkprobe/wire/packet.h"

namespace fairlead::linkprobe {

struct ReflectorSettings {
  std::size_t max_sessions = 1024;
  double probes_per_second = 200;  // per session, all paths together
  double burst = 400;
  Nanoseconds expire_after = Seconds(300);  // a session without a valid probe for so long ends
};

// What the session set-up agreed on.
struct SessionGrant {
  std::uint64_t session_id = 0;
  std::string prober;  // node name; a new session of the same prober replaces the one before it
  std::uint64_t prober_epoch = 0;
  std::uint32_t key_id = 0;
  std::uint8_t paths = 1;
};

// What the transport saw of one probe. `t3` is on the clock that t4 and OnReplyLeft use.
struct ProbeArrival {
  std::int64_t t3 = 0;
  bool hardware_stamps = false;
  std::optional<std::uint8_t> hop_limit{};
  std::optional<std::uint8_t> tos{};  // traffic class byte; known whenever hop_limit is
};

// Pure and single-threaded. The caller decodes and checks the mac first (by the key of
// Find(session_id)) and tells failures through CountDrop, so that one table holds every reason.
class Reflector {
 public:
  explicit Reflector(ReflectorSettings settings = {}) : settings_(settings) {}

  // kInvalidArgument for a session without paths or with an id already taken by another prober;
  // kResourceExhausted at max_sessions.
  Status Open(const SessionGrant& grant, MonotonicTime now);
  void Close(std::uint64_t session_id);

  // Null when there is no such session. Valid until the next call that is not const.
  const SessionGrant* Find(std::uint64_t session_id) const;

  // The reply with every field but t4 and mac, which the caller sets just before it posts; or why
  // there is none (already counted). A probe is answered at most once.
  tl::expected<Packet, DropReason> OnProbe(const Packet& probe, const ProbeArrival& arrival,
                                           MonotonicTime now);

  // The exact moment the reply to `sequence` left, by the clock of t3; it rides on the next reply.
  // Not called where a send stamp would be worse than t4 taken before posting.
  void OnReplyLeft(std::uint64_t session_id, std::uint8_t path, std::uint64_t sequence,
                   std::int64_t t4);

  void CountDrop(DropReason reason) { ++drops_[static_cast<std::size_t>(reason)]; }

  // Ends sessions that have been idle; returns their ids so that keys can be forgotten too.
  std::vector<std::uint64_t> Expire(MonotonicTime now);

  const DropCounts& drops() const { return drops_; }
  std::uint64_t replies() const { return replies_; }
  std::size_t sessions() const { return sessions_.size(); }

 private:
  struct Path {
    ReplayWindow seen;
    std::uint64_t received = 0;
    std::uint64_t replied = 0;
    std::uint32_t duplicates = 0;
    std::uint32_t reordered = 0;
    std::int64_t previous_t4 = 0;
    std::uint64_t previous_t4_sequence = 0;
  };
  struct Session {
    SessionGrant grant;
    TokenBucket limit;
    MonotonicTime last_probe;
    std::vector<Path> paths;
  };

  tl::unexpected<DropReason> Drop(DropReason reason);

  ReflectorSettings settings_;
  std::map<std::uint64_t, Session> sessions_;
  DropCounts drops_{};
  std::uint64_t replies_ = 0;
};

}  // namespace fairlead::linkprobe
