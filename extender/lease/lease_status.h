// Why lines are not tested now, and how tests went, for metrics and pages.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "extender/lease/lease.h"

namespace fairlead::extender {

// The first that applies.
enum class LeaseWait {
  kOff,           // by the configuration
  kFollows,       // another replica leads
  kTakingOver,    // leases of the leader before may still be in use
  kNotDue,        // tested or tried not long ago
  kNoProbe,       // no two connected probes that could; of a saturation test, with HCAs
  kGangsUnknown,  // it is not known where gangs run
  kGang,          // a gang crosses the line
  kNotHealthy,    // the line is not Healthy, in either direction
  kUseUnknown,    // no fresh counters at both ends
  kRateUnknown,   // nothing says what share of the line is in use
  kInUse,         // a larger share than may be
  kBytesSpent,    // of the day
  kOtherTest,     // at one of its ends
  kTested,        // now
};
inline constexpr std::size_t kLeaseWaitCount = static_cast<std::size_t>(LeaseWait::kTested) + 1;

// "off", "follows", "taking_over", "not_due", "no_probe", "gangs_unknown", "gang", "not_healthy",
// "use_unknown", "rate_unknown", "in_use", "bytes_spent", "other_test", "tested".
std::string_view LeaseWaitName(LeaseWait wait);

struct LeaseStatus {
  // Of each direction between sites and kind.
  std::map<std::pair<LinkKey, LeaseKind>, LeaseWait> waits;
  std::map<std::string, std::uint64_t> spent_today;  // by line, what is granted included
  std::uint64_t bytes_per_day = 0;
  std::map<LeaseKind, std::uint64_t> granted;  // since the start
  std::map<std::pair<LeaseKind, LeaseEnd>, std::uint64_t> ended;
};

}  // namespace fairlead::extender
