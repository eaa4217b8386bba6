#include "extender/lease/lease_status.h"

namespace fairlead::extender {

std::string_view LeaseWaitName(LeaseWait wait) {
  switch (wait) {
    case LeaseWait::kOff:
      return "off";
    case LeaseWait::kFollows:
      return "follows";
    case LeaseWait::kTakingOver:
      return "taking_over";
    case LeaseWait::kNotDue:
      return "not_due";
    case LeaseWait::kNoProbe:
      return "no_probe";
    case LeaseWait::kGangsUnknown:
      return "gangs_unknown";
    case LeaseWait::kGang:
      return "gang";
    case LeaseWait::kNotHealthy:
      return "not_healthy";
    case LeaseWait::kUseUnknown:
      return "use_unknown";
    case LeaseWait::kRateUnknown:
      return "rate_unknown";
    case LeaseWait::kInUse:
      return "in_use";
    case LeaseWait::kBytesSpent:
      return "bytes_spent";
    case LeaseWait::kOtherTest:
      return "other_test";
    case LeaseWait::kTested:
      return "tested";
  }
  return "";
}

}  // namespace fairlead::extender
