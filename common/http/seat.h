// Whether a connection's thread works or waits for its client.
#pragma once

#include <atomic>
#include <optional>

#include "common/base/clock.h"

namespace fairlead {

// One connection that is being served. The thread that serves it writes, any thread may read.
class Seat {
 public:
  explicit Seat(MonotonicTime now) : since_(now) {}

  // A connection that has brought no request yet counts as one whose request is under way.
  void StartRequest(MonotonicTime now) { Become(false, now); }
  void FinishRequest(MonotonicTime now) { Become(true, now); }
  // Around every wait for the client: for its bytes, or until it takes ours.
  void StartWaiting(MonotonicTime now) { waiting_since_.store(now); }
  void FinishWaiting() { waiting_since_.store(MonotonicTime{}); }

  // Why this place may be given to another client; the lowest claim goes first.
  struct Claim {
    enum class Kind { kStalled, kIdle, kSlow } kind = Kind::kStalled;
    MonotonicTime since{};
    auto operator<=>(const Claim&) const = default;
  };
  // kStalled: a request is under way and nothing has moved for `patience`. kIdle: no request for as
  // long. kSlow: bytes move, but the request is older than `patience`; a client that sends byte by
  // byte shall not hold its place. Nothing while the thread itself works.
  std::optional<Claim> ClaimOn(MonotonicTime now, Nanoseconds patience) const {
    const MonotonicTime waiting = waiting_since_.load();
    const MonotonicTime since = since_.load();
    if (waiting == MonotonicTime{} || now - since < patience) return std::nullopt;
    if (idle_.load()) return Claim{Claim::Kind::kIdle, since};
    return Claim{now - waiting >= patience ? Claim::Kind::kStalled : Claim::Kind::kSlow, since};
  }

 private:
  void Become(bool idle, MonotonicTime now) {
    since_.store(now);
    idle_.store(idle);
  }

  std::atomic<MonotonicTime> since_;
  std::atomic<MonotonicTime> waiting_since_{MonotonicTime{}};
  std::atomic<bool> idle_ = false;
};

}  // namespace fairlead
