#include "linkprobe/cli/advise.h"

#include <nlohmann/json.hpp>

#include "linkprobe/advice/advice_text.h"

namespace fairlead::linkprobe {

using nlohmann::json;

std::string AdviceJson(const LineFacts& facts, const WindowAdvice& advice) {
  return json{{"rtt_seconds", static_cast<double>(facts.rtt.count()) * 1e-9},
              {"rate_bits_per_second", facts.rate_bits_per_second},
              {"path_mtu_bytes", facts.path_mtu_bytes},
              {"in_flight_bytes", advice.needed_bytes},
              {"queue_pairs", advice.queue_pairs},
              {"queue_depth", advice.queue_depth},
              {"message_bytes", advice.message_bytes},
              {"posted_bytes", advice.posted_bytes},
              {"bound", WindowBoundName(advice.bound)},
              {"goodput_bits_per_second", advice.goodput_bits_per_second},
              {"ack_timeout", advice.ack_timeout},
              {"ack_wait_seconds", static_cast<double>(advice.ack_wait.count()) * 1e-9},
              {"nccl",
               {{"NCCL_BUFFSIZE", advice.nccl.buffer_bytes},
                {"NCCL_MIN_NCHANNELS", advice.nccl.channels},
                {"NCCL_IB_QPS_PER_CONNECTION", advice.queue_pairs},
                {"NCCL_IB_TIMEOUT", advice.ack_timeout}}}}
      .dump();
}

Result<std::string> DescribeAdvice(const AdviseCommand& command) {
  const auto advice = AdviseWindow(command.facts);
  if (!advice) return Fail(advice.error());
  return command.json ? AdviceJson(command.facts, *advice) + "\n"
                      : AdviceText(command.facts, *advice);
}

}  // namespace fairlead::linkprobe
