#include "deviceplugin/doctor/nccl_advice.h"

#include <algorithm>
#include <cmath>

#include "common/units/duration.h"
#include "common/units/human.h"
#include "deviceplugin/doctor/nccl_guides.h"
#include "deviceplugin/doctor/nccl_topology.h"
#include "deviceplugin/doctor/nccl_window.h"
#include "deviceplugin/doctor/traffic_priority.h"
#include "deviceplugin/profile/ack_timeout.h"

namespace fairlead::deviceplugin {
namespace {

using Settings = std::vector<NcclSetting>;

std::string Mebibytes(std::uint64_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

std::string RateThrough(double window_bytes, const LineLoad& line) {
  const double seconds = std::chrono::duration<double>(line.rtt).count();
  return HumanRate(std::min(window_bytes * 8 / seconds, line.bits_per_second));
}

void AdviseTimeout(const NodeFacts& facts, const NcclQuestion& question, Settings& out) {
  const std::uint32_t exponent = AckTimeoutExponent(facts.outage);
  std::string why = "4.096 us x 2^" + std::to_string(exponent) + " = " +
                    HumanDuration(AckTimeout(exponent)) + "; seven of them outlast an outage of " +
                    HumanDuration(facts.outage) + " (`deviceplugin.outage`).";
  if (question.line) {
    why += " RTT " + HumanDuration(question.line->rtt) + " needs no more than 18, 1.07 s.";
  }
  out.push_back({"NCCL_IB_TIMEOUT", std::to_string(exponent), std::move(why)});
  out.push_back({"NCCL_IB_RETRY_CNT", std::to_string(kRetries),
                 "The most there is, three bits; the timeout above counts on it."});
}

void AdviseWindow(const NcclQuestion& question, Settings& out) {
  if (!question.line) {
    const std::string why =
        "What must be under way follows from the line's rate and RTT, which are not known.";
    out.push_back({"NCCL_BUFFSIZE", "", why});
    out.push_back({"NCCL_MIN_CTAS", "", why});
    return;
  }
  const LineLoad& line = *question.line;
  const NcclWindow window = WindowFor(line.bytes_in_flight);
  const std::string need = HumanRate(line.bits_per_second) + " x " + HumanDuration(line.rtt) +
                           " = " + BytesText(line.bytes_in_flight) + " under way" +
                           (line.at_least ? " at least" : "") + ".";
  const NcclWindow least;
  if (window.bytes() <= least.bytes()) {
    out.push_back({"NCCL_BUFFSIZE", "", need + " The default, 4 MiB for each channel, holds it."});
    out.push_back({"NCCL_MIN_CTAS", "", "Two channels, which NCCL always has, are enough."});
    return;
  }
  const bool larger = window.buffer_bytes != kNcclBuffer;
  out.push_back(
      {"NCCL_BUFFSIZE", larger ? std::to_string(window.buffer_bytes) : "",
       need + (larger ? " With 4 MiB it would take " +
                            std::to_string(static_cast<std::uint64_t>(std::ceil(
                                line.bytes_in_flight / static_cast<double>(kNcclBuffer)))) +
                            " channels; " + Mebibytes(window.buffer_bytes) + " need fewer."
                      : " The default, 4 MiB, holds it in as many channels as below.")});
  std::string why = std::to_string(window.channels) + " channels x " +
                    Mebibytes(window.buffer_bytes) + " = " + BytesText(window.bytes()) +
                    " under way at most: " + RateThrough(window.bytes(), line) + " of " +
                    HumanRate(line.bits_per_second) + "; two channels of 4 MiB would give " +
                    RateThrough(least.bytes(), line) + ". About " + BytesText(2 * window.bytes()) +
                    " of GPU memory for a ring's two ends.";
  if (window.bytes() < line.bytes_in_flight) why += " More than 32 channels cost the GPU too much.";
  out.push_back({"NCCL_MIN_CTAS", std::to_string(window.channels), std::move(why)});
}

void AdvisePriority(const NodeFacts& facts, Settings& out) {
  const PoolConfig* pool = nullptr;
  for (const PoolConfig& candidate : facts.pools) {
    if (candidate.variables && candidate.priority_of.empty()) {
      pool = &candidate;
      break;
    }
  }
  const auto ports = RocePorts(facts);
  if (pool == nullptr || !pool->priority.traffic_class) {
    out.push_back({"NCCL_IB_TC", "",
                   "No pool sets a traffic class, so packets travel as best "
                   "effort; a number that no switch maps changes nothing."});
  } else {
    const std::uint32_t value = *pool->priority.traffic_class;
    std::string why = "Of the pool " + pool->resource + ": " + ClassParts(value) + ".";
    for (const PortView& view : ports) {
      const auto priority = PriorityFor(view, value);
      why += " " + view.Subject() +
             (priority ? " gives it priority " + std::to_string(*priority) + "."
                       : ": priority not known, " + priority.why_not() + ".");
    }
    out.push_back({"NCCL_IB_TC", std::to_string(value), std::move(why)});
  }
  if (pool != nullptr && pool->priority.control_traffic_class) {
    out.push_back({"NCCL_IB_FIFO_TC", std::to_string(*pool->priority.control_traffic_class),
                   "Of the pool, for the receiver's messages."});
  } else {
    out.push_back({"NCCL_IB_FIFO_TC", "", "The receiver's messages are then marked as the data."});
  }
  const bool infiniband =
      std::any_of(facts.inventory.hcas.begin(), facts.inventory.hcas.end(),
                  [](const Hca& hca) { return hca.protocol == RdmaProtocol::kInfiniband; });
  if (pool != nullptr && pool->priority.service_level && infiniband) {
    out.push_back({"NCCL_IB_SL", std::to_string(*pool->priority.service_level), "Of the pool."});
  } else {
    out.push_back({"NCCL_IB_SL", "",
                   infiniband ? "No pool sets one."
                              : "It is InfiniBand's; on RoCE the traffic "
                                "class does the job."});
  }
}

void AdviseAlgorithm(const NcclQuestion& question, Settings& out) {
  if (!question.line) {
    out.push_back({"NCCL_ALGO", "", "Which algorithm is shorter depends on the line."});
  } else {
    const LineLoad& line = *question.line;
    const std::string ways = "A ring passes the line four times one after the other, 2 RTT = " +
                             HumanDuration(2 * line.rtt) +
                             "; a tree, where a site's ranks are neighbours, twice, " +
                             HumanDuration(line.rtt) + ". NCCL does not know the RTT.";
    const std::string limit = BytesText(line.bytes_in_flight);
    if (question.message_bytes &&
        static_cast<double>(*question.message_bytes) < line.bytes_in_flight) {
      out.push_back({"NCCL_ALGO", "allreduce:tree",
                     ways + " An all-reduce of " +
                         BytesText(static_cast<double>(*question.message_bytes)) +
                         " is less than the line has under way, " + limit +
                         ", so the RTT is most of its time."});
    } else if (question.message_bytes) {
      out.push_back({"NCCL_ALGO", "",
                     ways + " An all-reduce of " +
                         BytesText(static_cast<double>(*question.message_bytes)) +
                         " is more than the line has under way, " + limit +
                         ": its rate decides, and NCCL may choose."});
    } else {
      out.push_back({"NCCL_ALGO", "",
                     ways + " It decides for all-reduces below " + limit +
                         ", what the line has under way; give --bytes. Above that the rate does."});
    }
  }
  out.push_back({"NCCL_PROTO", "",
                 "NCCL takes Simple for large messages by itself. LL and LL128 have buffers of "
                 "their own, 256 KiB and 4.6 MB of data a channel, larger than the messages that "
                 "NCCL sends with them."});
}

}  // namespace

NcclAdvice AdviseNccl(const NodeFacts& facts, const NcclQuestion& question) {
  NcclAdvice advice{.line = question.line, .settings = {}, .guides = {}};
  Settings& out = advice.settings;
  AdviseTimeout(facts, question, out);
  AdviseWindow(question, out);
  AdviseQueuePairs(facts, question, out);
  AdvisePriority(facts, out);
  AdviseAlgorithm(question, out);
  AdviseInterfaces(facts, out);
  advice.guides = JudgeGuides(facts, advice);
  return advice;
}

std::string ValueOf(const NcclAdvice& advice, const std::string& variable) {
  for (const NcclSetting& setting : advice.settings) {
    if (setting.variable == variable) return setting.value;
  }
  return "";
}

}  // namespace fairlead::deviceplugin
