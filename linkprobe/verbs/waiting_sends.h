// Packets that found a path's send ring full.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "common/base/result.h"
#include "linkprobe/verbs/ud_queue.h"

namespace fairlead::linkprobe {

// A batch of received packets is answered faster than a send ring empties, so what finds the ring
// full waits its turn, in order. `Ring` is UdQueue, or what stands for it in a test. Used by one
// thread.
template <class Ring>
class WaitingSends {
 public:
  // At most so many packets wait, which costs no pinned memory.
  explicit WaitingSends(std::size_t most) : most_(most) {}

  // Posts the packet, or copies it where it must wait; `keeps` holds what `to` points at until it
  // is posted. kResourceExhausted when as many wait as may; else what the ring says.
  Status Send(Ring& ring, std::shared_ptr<const void> keeps, const UdAddress& to,
              std::span<const std::uint8_t> packet, std::uint64_t token) {
    if (waiting_.empty() && !ring.IsFull()) return ring.Send(to, packet, token);
    if (waiting_.size() >= most_) {
      return Fail(ErrorCode::kResourceExhausted, "all send slots of the path are in flight");
    }
    waiting_.push_back({std::move(keeps), to, {packet.begin(), packet.end()}, token});
    return {};
  }

  // Posts what has room by now; call after completions were taken. A full ring holds a send whose
  // completion is told, so there is always a call to come for the rest. One that the ring refuses
  // is lost like any that was sent.
  void Resume(Ring& ring) {
    for (; !waiting_.empty() && !ring.IsFull(); waiting_.pop_front()) {
      const Waiting& next = waiting_.front();
      (void)ring.Send(next.to, next.packet, next.token);
    }
  }

 private:
  struct Waiting {
    std::shared_ptr<const void> keeps;
    UdAddress to;
    std::vector<std::uint8_t> packet;
    std::uint64_t token = 0;
  };

  std::size_t most_;
  std::deque<Waiting> waiting_;  // oldest first
};

}  // namespace fairlead::linkprobe
