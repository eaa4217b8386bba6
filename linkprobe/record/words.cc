#include "linkprobe/record/comparison.h"

namespace fairlead::linkprobe {

std::string_view LineValueName(LineValue value) {
  switch (value) {
    case LineValue::kRttP50:
      return "rtt_p50";
    case LineValue::kRttP99:
      return "rtt_p99";
    case LineValue::kJitterForward:
      return "jitter_forward";
    case LineValue::kJitterReverse:
      return "jitter_reverse";
    case LineValue::kLossForward:
      return "loss_forward";
    case LineValue::kLossReverse:
      return "loss_reverse";
    case LineValue::kBandwidth:
      return "bandwidth";
  }
  return "";
}

std::string_view VerdictWords(Verdict verdict) {
  switch (verdict) {
    case Verdict::kBetter:
      return "better";
    case Verdict::kNoDifference:
      return "no difference shown";
    case Verdict::kWorse:
      return "worse";
    case Verdict::kTooFewWindows:
      return "too few windows to say";
  }
  return "";
}

}  // namespace fairlead::linkprobe
