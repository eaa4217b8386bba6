// The right of one probe to test one line, and what became of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/clock.h"
#include "common/link/lease_result.h"
#include "extender/link/link_view.h"

namespace fairlead::extender {

enum class LeaseKind { kTrain, kSaturation };
inline constexpr LeaseKind kAllLeaseKinds[] = {LeaseKind::kTrain, LeaseKind::kSaturation};

// "train", "saturation".
constexpr std::string_view LeaseKindName(LeaseKind kind) {
  return kind == LeaseKind::kTrain ? "train" : "saturation";
}

// As the probe gets it.
struct BandwidthLease {
  std::uint64_t id = 0;
  std::string node;
  std::string peer_node;
  LinkKey link;  // from the node's site to the peer's
  LeaseKind kind = LeaseKind::kTrain;
  std::uint64_t most_bytes = 0;
  std::uint64_t most_bytes_per_day = 0;
  Nanoseconds duration{};
  std::optional<double> ceiling_bytes_per_second{};

  bool operator==(const BandwidthLease&) const = default;
};

// What the probe answered; nothing: it was silent until the lease lapsed.
using LeaseEnd = std::optional<LeaseResult>;
inline constexpr LeaseEnd kSilence = std::nullopt;
inline constexpr LeaseEnd kAllLeaseEnds[] = {LeaseResult::kMeasured, LeaseResult::kAborted,
                                             LeaseResult::kRefused, LeaseResult::kQuotaUsed,
                                             kSilence};

// "lapsed", or LeaseResultName.
constexpr std::string_view LeaseEndName(const LeaseEnd& end) {
  return end ? LeaseResultName(*end) : "lapsed";
}

struct LeaseAnswer {
  std::uint64_t lease_id = 0;
  LeaseResult result = LeaseResult::kAborted;
  std::string why;  // empty where it was measured
  std::uint64_t spent_bytes = 0;
};

// What one node sent for tests of a line on a day since 1970-01-01 UTC.
struct LineSpending {
  std::string line;
  std::int64_t day = 0;
  std::uint64_t bytes = 0;
};

// What a probe says with each batch of reports.
struct LeaseReport {
  std::vector<LeaseAnswer> answers;
  std::vector<LineSpending> spent;
};

}  // namespace fairlead::extender
