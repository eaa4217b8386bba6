#include "linkprobe/metrics/lease_metrics.h"

#include <gmock/gmock.h>
#include <prometheus/text_serializer.h>

namespace fairlead::linkprobe {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string Text(const LeaseBook& book) {
  FamilySet families("p_");
  AddLeaseMetrics(book, "hk", 20'000, MonotonicTime(Seconds(100)), families);
  return prometheus::TextSerializer().Serialize(families.Take());
}

TEST(LeaseMetrics, CountFromZeroAndShowWhatTestsFoundAndCost) {
  LeaseBook book;
  EXPECT_THAT(Text(book), HasSubstr(R"(p_bandwidth_leases_total{result="measured"} 0)"));
  EXPECT_THAT(Text(book), Not(HasSubstr("bytes")));
  book.Ended({.lease_id = 1, .result = LeaseResult::kMeasured});
  book.Found("sg", {.kind = TestKind::kTrain,
                    .bytes_per_second = 5e6,
                    .at = MonotonicTime(Seconds(90)),
                    .at_least = true});
  DailyLedger ledger;
  ledger.Reserve("hk-sg", 19'999, 3, 10);
  ledger.Reserve("hk-sg", 20'000, 7, 10);
  book.Spent(ledger);
  const std::string text = Text(book);
  EXPECT_THAT(text, HasSubstr(R"(leases_total{result="measured"} 1)"));
  EXPECT_THAT(
      text,
      HasSubstr(
          R"(bytes_per_second{src_site="hk",dst_site="sg",source="train",at_least="true"} 5000000)"));
  EXPECT_THAT(text, HasSubstr(R"(age_seconds{src_site="hk",dst_site="sg",source="train"} 10)"));
  EXPECT_THAT(text, HasSubstr(R"(spent_today_bytes{line="hk-sg"} 7)"));
}

}  // namespace
}  // namespace fairlead::linkprobe
