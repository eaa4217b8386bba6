#include "linkprobe/advice/window_advice.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "common/units/duration.h"
#include "common/units/rate.h"

namespace fairlead::linkprobe {
namespace {

constexpr std::uint64_t kKibi = 1024;
constexpr std::uint64_t kMebi = kKibi * kKibi;
// Each queue pair has a path of its own over parallel members of a line, and an engine of its own
// in many devices; beyond this more of them serve only to widen the window.
constexpr std::uint32_t kUsualQueuePairs = 4;
// In so many messages a window is divided, so that one that completes leaves the line busy.
constexpr std::uint64_t kMessagesPerQueue = 16;
constexpr std::uint64_t kUsualMessageBytes = kMebi;
constexpr std::uint32_t kLeastAckTimeout = 14;
constexpr std::uint32_t kLargestAckTimeout = 31;
// NCCL's default buffer; each channel costs the GPU a multiprocessor, so buffers grow before the
// channels do, up to a size of which each peer still takes several.
constexpr std::uint64_t kNcclDefaultBuffer = 4 * kMebi;
constexpr std::uint64_t kNcclLargestBuffer = 64 * kMebi;
constexpr std::uint32_t kNcclUsualChannels = 16;
constexpr std::uint32_t kNcclMostChannels = 32;

double InSeconds(Nanoseconds duration) { return static_cast<double>(duration.count()) * 1e-9; }

std::uint64_t CeilDivide(std::uint64_t value, std::uint64_t by) { return (value + by - 1) / by; }

Status Check(const LineFacts& facts) {
  if (facts.rtt < Nanoseconds(1000) || facts.rtt > Seconds(10)) {
    return Fail(ErrorCode::kInvalidArgument,
                "RTT " + FormatDuration(facts.rtt) + " is not in 1us..10s");
  }
  if (facts.rate_bits_per_second < 1'000 || facts.rate_bits_per_second > 100'000'000'000'000) {
    return Fail(ErrorCode::kInvalidArgument,
                "rate " + FormatRate(facts.rate_bits_per_second) + " is not in 1kbps..100Tbps");
  }
  if (!std::has_single_bit(facts.path_mtu_bytes) || facts.path_mtu_bytes < 256 ||
      facts.path_mtu_bytes > 4096) {
    return Fail(ErrorCode::kInvalidArgument,
                "path MTU " + std::to_string(facts.path_mtu_bytes) +
                    " is not one of RDMA's, 256, 512, 1024, 2048, 4096; a network MTU of 1500 "
                    "gives 1024, one of 4200 or more 4096");
  }
  if (facts.limits.send_requests == 0 || facts.limits.unacked_packets == 0 ||
      facts.limits.queue_pairs == 0 || facts.limits.message_bytes < facts.path_mtu_bytes) {
    return Fail(ErrorCode::kInvalidArgument, "a limit of the queue pairs is 0");
  }
  return {};
}

std::uint32_t QueuePairs(const LineFacts& facts, std::uint64_t needed) {
  const std::uint64_t each = std::uint64_t{facts.limits.unacked_packets} * facts.path_mtu_bytes;
  const std::uint64_t by_window = CeilDivide(needed, each);
  const std::uint64_t usual =
      needed >= kUsualQueuePairs * facts.path_mtu_bytes ? kUsualQueuePairs : 1;
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(std::max(by_window, usual), facts.limits.queue_pairs));
}

void DivideWindow(const LineFacts& facts, WindowAdvice& advice) {
  const std::uint64_t share = CeilDivide(advice.needed_bytes, advice.queue_pairs);
  const std::uint64_t largest = std::bit_floor(facts.limits.message_bytes);
  std::uint64_t message = std::clamp<std::uint64_t>(
      std::bit_floor(std::max<std::uint64_t>(1, share / kMessagesPerQueue)), facts.path_mtu_bytes,
      std::min(kUsualMessageBytes, largest));
  while (CeilDivide(share, message) > facts.limits.send_requests && message < largest) message *= 2;
  advice.message_bytes = static_cast<std::uint32_t>(message);
  advice.queue_depth = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(CeilDivide(share, message), facts.limits.send_requests));
  advice.posted_bytes = message * advice.queue_depth * advice.queue_pairs;
  advice.packet_window_bytes =
      std::uint64_t{facts.limits.unacked_packets} * facts.path_mtu_bytes * advice.queue_pairs;
}

void JudgeBound(const LineFacts& facts, WindowAdvice& advice) {
  if (advice.window_bytes() >= advice.needed_bytes) {
    advice.bound = WindowBound::kLine;
    advice.goodput_bits_per_second = facts.rate_bits_per_second;
    return;
  }
  advice.bound = advice.packet_window_bytes < advice.posted_bytes ? WindowBound::kPacketWindow
                                                                  : WindowBound::kSendQueue;
  advice.goodput_bits_per_second = static_cast<std::uint64_t>(
      static_cast<double>(advice.window_bytes()) * 8 / InSeconds(facts.rtt));
}

std::uint32_t AckTimeout(const LineFacts& facts) {
  const Nanoseconds wanted = 2 * (facts.rtt + facts.queue);
  std::uint32_t exponent = kLeastAckTimeout;
  while (exponent < kLargestAckTimeout && AckWait(exponent) < wanted) ++exponent;
  return exponent;
}

NcclWindow ForNccl(std::uint64_t needed) {
  NcclWindow window{.buffer_bytes = kNcclDefaultBuffer, .channels = 1};
  while (window.buffer_bytes < kNcclLargestBuffer &&
         CeilDivide(needed, window.buffer_bytes) > kNcclUsualChannels) {
    window.buffer_bytes *= 2;
  }
  window.channels = static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(CeilDivide(needed, window.buffer_bytes), 1, kNcclMostChannels));
  return window;
}

}  // namespace

std::string_view WindowBoundName(WindowBound bound) {
  switch (bound) {
    case WindowBound::kLine:
      return "line";
    case WindowBound::kPacketWindow:
      return "packet_window";
    case WindowBound::kSendQueue:
      return "send_queue";
  }
  return "unknown";
}

Nanoseconds AckWait(std::uint32_t exponent) {
  return Nanoseconds(std::int64_t{4096} << std::min(exponent, kLargestAckTimeout));
}

Result<WindowAdvice> AdviseWindow(const LineFacts& facts) {
  if (auto good = Check(facts); !good) return Fail(good.error());
  WindowAdvice advice;
  const double needed =
      static_cast<double>(facts.rate_bits_per_second) / 8 * InSeconds(facts.rtt);
  // Products that are whole stay so, whatever the last bit says.
  advice.needed_bytes =
      std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::ceil(needed * (1 - 1e-12))));
  advice.queue_pairs = QueuePairs(facts, advice.needed_bytes);
  DivideWindow(facts, advice);
  JudgeBound(facts, advice);
  advice.ack_timeout = AckTimeout(facts);
  advice.ack_wait = AckWait(advice.ack_timeout);
  advice.nccl = ForNccl(advice.needed_bytes);
  return advice;
}

}  // namespace fairlead::linkprobe
