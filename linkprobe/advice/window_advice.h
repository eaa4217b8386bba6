// How much must be under way on a line for it to be full, and which settings put it there.
#pragma once

#include <cstdint>
#include <string_view>

#include "common/base/clock.h"
#include "common/base/result.h"

namespace fairlead::linkprobe {

// What a queue pair of the sender's device can have under way.
struct QueuePairLimits {
  std::uint32_t send_requests = 32'768;           // of one queue pair; the device's max_qp_wr
  std::uint32_t unacked_packets = 1U << 23;       // half of the 24-bit PSN space; soft-RoCE: 128
  std::uint32_t queue_pairs = 64;                 // that the caller is ready to use
  std::uint32_t message_bytes = 8 * 1024 * 1024;  // largest to be posted as one
};

struct LineFacts {
  Nanoseconds rtt{};
  std::uint64_t rate_bits_per_second = 0;
  std::uint32_t path_mtu_bytes = 4096;
  Nanoseconds queue = Milliseconds(100);  // longest wait in the line's buffers, on top of the RTT
  QueuePairLimits limits{};
};

// What keeps the rate where it is.
enum class WindowBound {
  kLine,          // the line itself: the window suffices
  kPacketWindow,  // unacknowledged packets of all queue pairs
  kSendQueue,     // messages that the send queues can hold
};
std::string_view WindowBoundName(WindowBound bound);

// What NCCL can have under way on one connection: each channel keeps one buffer of steps in flight.
struct NcclWindow {
  std::uint64_t buffer_bytes = 0;  // NCCL_BUFFSIZE
  std::uint32_t channels = 0;      // NCCL_MIN_NCHANNELS
  std::uint64_t window_bytes() const { return buffer_bytes * channels; }
};

struct WindowAdvice {
  std::uint64_t needed_bytes = 0;  // rate x RTT
  std::uint32_t queue_pairs = 0;
  std::uint32_t queue_depth = 0;  // messages posted on each queue pair
  std::uint32_t message_bytes = 0;
  std::uint64_t posted_bytes = 0;  // the product of the three
  std::uint64_t packet_window_bytes = 0;
  WindowBound bound = WindowBound::kLine;
  std::uint64_t goodput_bits_per_second = 0;  // min(rate, window / RTT)
  std::uint32_t ack_timeout = 0;              // the wait is 4.096 us x 2^ack_timeout
  Nanoseconds ack_wait{};
  NcclWindow nccl{};

  std::uint64_t window_bytes() const {
    return posted_bytes < packet_window_bytes ? posted_bytes : packet_window_bytes;
  }
};

// The wait that an ACK timeout of `exponent` means (InfiniBand specification, 11.6.2), 0 < exponent
// < 32.
Nanoseconds AckWait(std::uint32_t exponent);

// The smallest settings that fill the line. A wait of the ACK timeout is at least twice the RTT
// with a full queue, so that an answer which is merely late is not sent again, and never below
// 2^14, where most software starts. kInvalidArgument, naming the value, for an RTT not in 1us..10s,
// a rate not in 1 kbps..100 Tbps, or a path MTU that RDMA does not know. Pure.
Result<WindowAdvice> AdviseWindow(const LineFacts& facts);

}  // namespace fairlead::linkprobe
