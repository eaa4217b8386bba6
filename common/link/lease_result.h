// What became of a bandwidth test that a lease allowed.
#pragma once

#include <string_view>

namespace fairlead {

// As the probe that had the lease says it.
enum class LeaseResult { kMeasured, kAborted, kRefused, kQuotaUsed };
inline constexpr LeaseResult kAllLeaseResults[] = {LeaseResult::kMeasured, LeaseResult::kAborted,
                                                   LeaseResult::kRefused, LeaseResult::kQuotaUsed};

// "measured", "aborted", "refused", "quota_used".
constexpr std::string_view LeaseResultName(LeaseResult result) {
  switch (result) {
    case LeaseResult::kMeasured:
      return "measured";
    case LeaseResult::kAborted:
      return "aborted";
    case LeaseResult::kRefused:
      return "refused";
    case LeaseResult::kQuotaUsed:
      return "quota_used";
  }
  return "";
}

}  // namespace fairlead
