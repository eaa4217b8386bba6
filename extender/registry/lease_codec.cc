#include "extender/registry/lease_codec.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "extender/link/line_name.h"
#include "fairlead/v1/registry.pb.h"

namespace fairlead::extender {
namespace {

constexpr std::size_t kMaxWhyBytes = 512;
constexpr int kMaxAnswers = 64;
constexpr int kMaxSpending = 256;
constexpr std::uint64_t kMostBytesPerSecond = 1'000'000'000'000'000 / 8;  // above any line
constexpr std::uint64_t kOldestTestNs = 24ULL * 3600 * 365 * 1'000'000'000;

std::optional<LeaseResult> ResultOf(v1::LeaseOutcome::Result result) {
  switch (result) {
    case v1::LeaseOutcome::RESULT_MEASURED:
      return LeaseResult::kMeasured;
    case v1::LeaseOutcome::RESULT_ABORTED:
      return LeaseResult::kAborted;
    case v1::LeaseOutcome::RESULT_REFUSED:
      return LeaseResult::kRefused;
    case v1::LeaseOutcome::RESULT_QUOTA_USED:
      return LeaseResult::kQuotaUsed;
    default:  // of another version
      return std::nullopt;
  }
}

std::optional<RateSource> SourceOf(v1::BandwidthReport::Source source) {
  switch (source) {
    case v1::BandwidthReport::SOURCE_TRAIN:
      return RateSource::kTrain;
    case v1::BandwidthReport::SOURCE_SATURATION:
      return RateSource::kSaturation;
    default:  // not of a test, or of another version
      return std::nullopt;
  }
}

}  // namespace

void EncodeLease(const BandwidthLease& lease, v1::BandwidthLease& out) {
  out.set_id(lease.id);
  out.set_peer_node(lease.peer_node);
  out.set_line(LineName(lease.link.from_site, lease.link.to_site));
  out.set_kind(lease.kind == LeaseKind::kTrain ? v1::BandwidthLease::KIND_TRAIN
                                               : v1::BandwidthLease::KIND_SATURATION);
  out.set_most_bytes(lease.most_bytes);
  out.set_most_bytes_per_day(lease.most_bytes_per_day);
  out.set_duration_ns(static_cast<std::uint64_t>(lease.duration.count()));
  if (lease.ceiling_bytes_per_second) {
    out.set_ceiling_bytes_per_second(static_cast<std::uint64_t>(*lease.ceiling_bytes_per_second));
  }
}

LeaseReport DecodeLeases(const v1::BandwidthTests& wire, const ProbeIdentity& probe,
                         const NodeNames& inventory) {
  LeaseReport out;
  for (int i = 0; i < std::min(wire.outcomes_size(), kMaxAnswers); ++i) {
    const v1::LeaseOutcome& outcome = wire.outcomes(i);
    const auto result = ResultOf(outcome.result());
    if (!result) continue;
    out.answers.push_back({.lease_id = outcome.lease_id(),
                           .result = *result,
                           .why = outcome.why().substr(0, kMaxWhyBytes),
                           .spent_bytes = outcome.spent_bytes()});
  }
  std::set<std::string> lines;
  for (const std::string& site : inventory.sites()) {
    if (site != probe.site) lines.insert(LineName(probe.site, site));
  }
  for (int i = 0; i < std::min(wire.spent_size(), kMaxSpending); ++i) {
    const v1::LineSpending& spent = wire.spent(i);
    if (!lines.contains(spent.line())) continue;
    out.spent.push_back({.line = spent.line(), .day = spent.day(), .bytes = spent.bytes()});
  }
  return out;
}

std::vector<CapacityTest> DecodeTests(const v1::BandwidthReport& wire,
                                      std::vector<Refusal>& refused) {
  std::vector<CapacityTest> tests;
  for (const v1::CapacityTest& test : wire.tests()) {
    const auto source = SourceOf(test.source());
    if (!source) continue;
    if (test.bytes_per_second() == 0 || test.bytes_per_second() > kMostBytesPerSecond ||
        test.age_ns() > kOldestTestNs) {
      refused.push_back({Error{ErrorCode::kInvalidArgument,
                               "a bandwidth test found " + std::to_string(test.bytes_per_second()) +
                                   " bytes per second " + std::to_string(test.age_ns()) +
                                   " ns ago, which is impossible"},
                         "implausible"});
      continue;
    }
    if (tests.size() == 2) break;  // the newest of each kind is all that is told
    tests.push_back({.source = *source,
                     .bytes_per_second = static_cast<double>(test.bytes_per_second()),
                     .age = Nanoseconds(static_cast<std::int64_t>(test.age_ns())),
                     .at_least = test.at_least()});
  }
  return tests;
}

}  // namespace fairlead::extender
