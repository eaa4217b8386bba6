// One unreliable-datagram queue pair with its buffers: one probe path.
#pragma once

#include <infiniband/verbs.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "common/base/result.h"
#include "linkprobe/verbs/global_route.h"
#include "linkprobe/verbs/verbs_handles.h"

namespace fairlead::linkprobe {

// Pinned memory for kLargestPathCount = 8 paths, all of it below 256 KiB so that no capability and
// no raised locked-memory limit is needed:
//   buffers  8 x (32 receives x 320 B + 16 sends x 128 B = 12 KiB)   =  96 KiB
//   rings    8 x (16 sends x 256 B + 32 receives x 16 B, in pages)   =  64 KiB
//   completion queue  8 x 48 entries -> 512 x 64 B                   =  32 KiB
inline constexpr std::uint32_t kReceivesPerPath = 32;
inline constexpr std::uint32_t kSendsPerPath = 16;

// Where a packet goes: an address handle with the peer's queue pair.
struct UdAddress {
  ibv_ah* handle = nullptr;
  std::uint32_t qp_number = 0;
  std::uint32_t qkey = 0;
};

struct UdQueueOptions {
  std::uint8_t port = 1;
  std::uint32_t qkey = 0;
  std::uint32_t path = 0;  // comes back in every completion
  // Every how many sends one raises a completion: 1 where each is to be stamped, else up to half
  // of kSendsPerPath to be woken less often.
  std::uint32_t signal_every = 1;
};

// What a completion's wr_id stands for. `life` counts the recoveries of the queue pair, so that
// what was in flight before one is told from what came after.
struct UdWorkId {
  bool receive = false;
  std::uint32_t life = 0;  // 23 bits, wraps
  std::uint32_t path = 0;  // 8 bits
  std::uint32_t slot = 0;
};
UdWorkId DecodeWorkId(std::uint64_t wr_id);

// Used by one thread; the completion queue it was made with must outlive it.
class UdQueue {
 public:
  // Makes the queue pair, fills its receive ring and brings it to ready-to-send.
  static Result<std::unique_ptr<UdQueue>> Create(ibv_pd* domain, ibv_cq* completions,
                                                 const UdQueueOptions& options);

  std::uint32_t qp_number() const { return pair_->qp_num; }

  // Whether all send slots are in flight.
  bool IsFull() const { return free_sends_.empty(); }
  // Copies the packet and posts it. kResourceExhausted while all send slots are in flight.
  Status Send(const UdAddress& to, std::span<const std::uint8_t> packet, std::uint64_t token);
  // Frees the slot of a completed send and those of the unsignalled ones before it; its token.
  std::uint64_t FinishSend(std::uint32_t slot);

  // Whether a completion belongs to the queue pair's present life.
  bool IsCurrent(const UdWorkId& id) const { return id.life == life_; }

  // After a failed completion: through RESET back to ready-to-send under the same number, with all
  // buffers free. A datagram longer than its receive stops a queue pair, so a stranger can do that.
  Status Recover();

  // A received slot: kGlobalRouteBytes of header, then the packet.
  std::span<const std::uint8_t> Received(std::uint32_t slot, std::uint32_t byte_count) const;
  // Gives the slot back to the device.
  Status PostReceive(std::uint32_t slot);

 private:
  explicit UdQueue(const UdQueueOptions& options) : options_(options) {}

  Status Connect();
  std::uint64_t WorkId(bool receive, std::uint32_t slot) const;

  static constexpr std::size_t kReceiveBytes = 320;  // header, packet, and room to see a long one
  static constexpr std::size_t kSendBytes = 128;
  struct Buffers {
    std::array<std::array<std::uint8_t, kReceiveBytes>, kReceivesPerPath> receives;
    std::array<std::array<std::uint8_t, kSendBytes>, kSendsPerPath> sends;
  };

  const UdQueueOptions options_;
  std::uint32_t life_ = 0;
  std::unique_ptr<Buffers> buffers_ = std::make_unique<Buffers>();
  VerbsMemoryRegion region_;
  VerbsQueuePair pair_;
  std::array<std::uint64_t, kSendsPerPath> tokens_{};
  std::uint32_t unsignalled_ = 0;
  std::deque<std::uint32_t> sends_in_flight_;  // slots in the order in which they complete
  std::vector<std::uint32_t> free_sends_;
};

}  // namespace fairlead::linkprobe
