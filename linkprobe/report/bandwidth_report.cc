#include "linkprobe/report/bandwidth_report.h"

#include <algorithm>
#include <cmath>

#include "common/base/utf8.h"
#include "linkprobe/report/traffic_report.h"

namespace fairlead::linkprobe {
namespace {

constexpr int kMostSpending = 256;
// As long as the extender keeps; a peer's or a library's words may be longer, and any bytes.
constexpr std::size_t kLongestWhy = 512;
// Two names of sites. What else stands in a ledger is no line that an extender knows.
constexpr std::size_t kLongestLine = 2 * 253 + 1;

std::uint64_t Count(Nanoseconds duration) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(0, duration.count()));
}

v1::LeaseOutcome::Result ToProto(LeaseResult result) {
  switch (result) {
    case LeaseResult::kMeasured:
      return v1::LeaseOutcome::RESULT_MEASURED;
    case LeaseResult::kAborted:
      return v1::LeaseOutcome::RESULT_ABORTED;
    case LeaseResult::kRefused:
      return v1::LeaseOutcome::RESULT_REFUSED;
    case LeaseResult::kQuotaUsed:
      return v1::LeaseOutcome::RESULT_QUOTA_USED;
  }
  return v1::LeaseOutcome::RESULT_UNSPECIFIED;
}

}  // namespace

void FillUse(const CounterState& counters, MonotonicTime now, v1::LinkReport& out) {
  if (!counters.traffic || now - counters.traffic->at > kOldestTraffic) return;
  v1::BandwidthReport& bandwidth = *out.mutable_bandwidth();
  bandwidth.set_used_bytes_per_second(
      static_cast<std::uint64_t>(std::llround(counters.traffic->transmit_bytes_per_second)));
  bandwidth.set_source(v1::BandwidthReport::SOURCE_PASSIVE);
  bandwidth.set_age_ns(Count(now - counters.traffic->at));
}

void FillTests(const LeaseBook& book, const std::string& peer_site, MonotonicTime now,
               v1::LinkReport& out) {
  for (const FoundRate& rate : book.RatesTo(peer_site)) {
    v1::CapacityTest& test = *out.mutable_bandwidth()->add_tests();
    test.set_source(rate.kind == TestKind::kTrain ? v1::BandwidthReport::SOURCE_TRAIN
                                                  : v1::BandwidthReport::SOURCE_SATURATION);
    test.set_bytes_per_second(static_cast<std::uint64_t>(std::llround(rate.bytes_per_second)));
    test.set_age_ns(Count(now - rate.at));
    test.set_at_least(rate.at_least);
  }
}

void FillLeases(const LeaseBook& book, v1::ReportBatch& out) {
  if (book.outcomes().empty() && book.ledger().days().empty()) return;
  v1::BandwidthTests& tests = *out.mutable_tests();
  for (const LeaseOutcome& outcome : book.outcomes()) {
    v1::LeaseOutcome& to = *tests.add_outcomes();
    to.set_lease_id(outcome.lease_id);
    to.set_result(ToProto(outcome.result));
    to.set_why(AsUtf8(outcome.why, kLongestWhy));
    to.set_spent_bytes(outcome.spent_bytes);
  }
  // The newest day first, in case that there are more lines than are told of.
  const auto& days = book.ledger().days();
  for (auto day = days.rbegin(); day != days.rend(); ++day) {
    for (const auto& [line, bytes] : day->second) {
      if (tests.spent_size() == kMostSpending) return;
      if (AsUtf8(line, kLongestLine) != line) continue;
      v1::LineSpending& spent = *tests.add_spent();
      spent.set_line(line);
      spent.set_day(day->first);
      spent.set_bytes(bytes);
    }
  }
}

}  // namespace fairlead::linkprobe
