#include "linkprobe/advice/advice_text.h"

#include <cstdio>

#include "common/units/duration.h"
#include "common/units/human.h"
#include "common/units/rate.h"

namespace fairlead::linkprobe {
namespace {

std::string InMebibytes(std::uint64_t bytes) {
  char text[48];
  std::snprintf(text, sizeof text, "%.4g MiB", static_cast<double>(bytes) / 1048576.0);
  return text;
}

std::string Rate(std::uint64_t bits_per_second) {
  return HumanRate(static_cast<double>(bits_per_second));
}

std::string BoundText(const LineFacts& facts, const WindowAdvice& advice) {
  const std::string reached =
      InMebibytes(advice.window_bytes()) + " / " + HumanDuration(facts.rtt) + " = " +
      Rate(advice.goodput_bits_per_second) + " of " + Rate(facts.rate_bits_per_second);
  switch (advice.bound) {
    case WindowBound::kLine:
      return "the line: the window suffices for " + Rate(facts.rate_bits_per_second);
    case WindowBound::kPacketWindow:
      return "packets without an answer, " + std::to_string(facts.limits.unacked_packets) + " x " +
             std::to_string(facts.path_mtu_bytes) + " B on each of " +
             std::to_string(advice.queue_pairs) + " queue pairs: " + reached;
    case WindowBound::kSendQueue:
      return "the send queues, " + std::to_string(facts.limits.send_requests) +
             " messages on each: " + reached;
  }
  return "";
}

std::string NcclText(const WindowAdvice& advice) {
  const NcclWindow& nccl = advice.nccl;
  std::string text = "NCCL_BUFFSIZE=" + std::to_string(nccl.buffer_bytes) + " x " +
                     Counted(nccl.channels, "channel", "channels") + " = " +
                     InMebibytes(nccl.window_bytes()) + " on one connection";
  if (nccl.window_bytes() < advice.needed_bytes) {
    text += ", short of what the line holds: let several pairs of ranks cross it";
  }
  text += "\n              NCCL_MIN_NCHANNELS=" + std::to_string(nccl.channels) +
          " NCCL_IB_QPS_PER_CONNECTION=" + std::to_string(advice.queue_pairs) +
          " NCCL_IB_TIMEOUT=" + std::to_string(advice.ack_timeout);
  return text;
}

}  // namespace

std::string AdviceText(const LineFacts& facts, const WindowAdvice& advice) {
  std::string text;
  text += "in flight     " + Rate(facts.rate_bits_per_second) + " x " + HumanDuration(facts.rtt) +
          " / 8 = " + InMebibytes(advice.needed_bytes) + "\n";
  text += "post          " + Counted(advice.queue_pairs, "queue pair", "queue pairs") + " x " +
          Counted(advice.queue_depth, "message", "messages") + " x " +
          FormatBytes(advice.message_bytes) + " = " + InMebibytes(advice.posted_bytes) +
          "; a smaller buffer may be posted again and again\n";
  text += "bound         " + BoundText(facts, advice) + "\n";
  text += "ack timeout   4.096 us x 2^" + std::to_string(advice.ack_timeout) + " = " +
          HumanDuration(advice.ack_wait) + ", at least 2 x (" + HumanDuration(facts.rtt) +
          " + a queue of " + HumanDuration(facts.queue) + "); 7 retries give up after about " +
          HumanDuration(8 * advice.ack_wait) + "\n";
  text += "NCCL          " + NcclText(advice) + "\n";
  return text;
}

}  // namespace fairlead::linkprobe
