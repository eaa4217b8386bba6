#include "extender/link_status/link_words.h"

#include <algorithm>
#include <tuple>

#include "common/units/duration.h"
#include "common/units/human.h"

namespace fairlead::extender {
namespace {

// std::optional orders nothing before any value.
template <class Value>
std::optional<Value> Larger(const LinkObject& object, std::optional<Value> LinkWay::*value) {
  return std::max(object.forward.*value, object.reverse.*value);
}

std::string DurationText(const std::optional<Nanoseconds>& value) {
  return value ? HumanDuration(*value) : std::string();
}

std::string RateText(const LineRate& rate) {
  const std::string text = HumanRate(rate.bytes_per_second * 8);
  if (rate.source == RateSource::kDeclared) return text + " (declared)";
  return (rate.at_least ? ">=" : "") + text;
}

}  // namespace

std::string RttText(const LinkObject& object) {
  return DurationText(Larger(object, &LinkWay::rtt_p50));
}

std::string JitterText(const LinkObject& object) {
  return DurationText(Larger(object, &LinkWay::jitter));
}

std::string LossText(const LinkObject& object) {
  const auto loss = Larger(object, &LinkWay::loss);
  return loss ? HumanPercent(*loss) : std::string();
}

std::string BandwidthText(const LinkObject& object) {
  const auto& [there, back] = std::tie(object.forward.bandwidth, object.reverse.bandwidth);
  if (there && back) {
    return RateText(there->bytes_per_second <= back->bytes_per_second ? *there : *back);
  }
  if (there) return RateText(*there);
  return back ? RateText(*back) : std::string();
}

std::string WayText(const LinkWay& way) {
  std::string text(LinkStateName(way.state));
  if (way.rtt_p50) text += " " + HumanDuration(*way.rtt_p50);
  if (way.loss) text += " " + HumanPercent(*way.loss);
  return text;
}

}  // namespace fairlead::extender
