#include "deviceplugin/doctor/nccl_guides.h"

#include <utility>

#include "common/units/duration.h"
#include "common/units/human.h"
#include "deviceplugin/doctor/nccl_window.h"
#include "deviceplugin/profile/ack_timeout.h"

namespace fairlead::deviceplugin {
namespace {

GuideValue Compare(const NcclAdvice& advice, const std::string& variable, const std::string& value,
                   std::string why_not) {
  GuideValue guide{.assignment = variable + "=" + value, .holds = false, .why = ""};
  guide.holds = ValueOf(advice, variable) == value;
  guide.why = guide.holds ? "It is what the arithmetic gives here, too." : std::move(why_not);
  return guide;
}

std::string WhyNotBuffer(const NcclAdvice& advice) {
  constexpr std::uint64_t kGuide = std::uint64_t{8} << 20;
  if (!advice.line) return "Whether 8 MiB are right depends on the line, which is not known.";
  const NcclWindow window = WindowFor(advice.line->bytes_in_flight);
  const std::string need = BytesText(advice.line->bytes_in_flight) + " must be under way";
  if (window.buffer_bytes < kGuide) {
    return need + ", which the default of 4 MiB holds in " + std::to_string(window.channels) +
           " channels; 8 MiB would take GPU memory for nothing.";
  }
  return need + ": with 8 MiB that takes " +
         std::to_string(static_cast<std::uint64_t>(advice.line->bytes_in_flight /
                                                   static_cast<double>(kGuide)) +
                        1) +
         " channels. A buffer's size alone says nothing; buffer x channels does.";
}

}  // namespace

std::vector<GuideValue> JudgeGuides(const NodeFacts& facts, const NcclAdvice& advice) {
  std::vector<GuideValue> guides;
  guides.push_back(Compare(
      advice, "NCCL_IB_TIMEOUT", "22",
      "17 s, seven times: a dead peer is noticed after 2 min. No RTT on earth needs it; here an "
      "outage of " +
          HumanDuration(facts.outage) + " is to be outlasted, which " +
          std::to_string(AckTimeoutExponent(facts.outage)) + " does."));
  guides.push_back(Compare(advice, "NCCL_BUFFSIZE", "8388608", WhyNotBuffer(advice)));
  guides.push_back(Compare(advice, "NCCL_IB_TC", "106",
                           "DSCP 26, ECN capable, means something only where the pool, the NIC and "
                           "the switches all use it."));
  guides.push_back(Compare(advice, "NCCL_IB_QPS_PER_CONNECTION", "4",
                           "Queue pairs do not widen the window (nor do 8): the same bytes are "
                           "divided among more of them."));
  guides.push_back(Compare(advice, "NCCL_ALGO", "Tree",
                           "For all functions it fails those that have no tree, and large messages "
                           "gain nothing. See NCCL_ALGO above."));
  guides.push_back(
      Compare(advice, "NCCL_PROTO", "Simple",
              "Large messages use it anyway; small ones, whose time is RTT, gain nothing by it."));
  return guides;
}

}  // namespace fairlead::deviceplugin
