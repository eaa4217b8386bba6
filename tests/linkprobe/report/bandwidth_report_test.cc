#include "linkprobe/report/bandwidth_report.h"

#include <gtest/gtest.h>

namespace fairlead::linkprobe {
namespace {

const MonotonicTime kNow{Seconds(1000)};

TEST(BandwidthReports, SayWhatTestsOfTheLineFoundWhicheverPeerItWasWith) {
  LeaseBook book;
  book.Found("sg", {.kind = TestKind::kSaturation,
                    .bytes_per_second = 90e6,
                    .at = kNow - Seconds(50),
                    .at_least = true});
  book.Found("sg", {.kind = TestKind::kTrain, .bytes_per_second = 70e6, .at = kNow - Seconds(9)});
  book.Found("sg", {.kind = TestKind::kTrain, .bytes_per_second = 80e6, .at = kNow - Seconds(4)});
  v1::LinkReport report;
  FillTests(book, "sg", kNow, report);
  ASSERT_EQ(report.bandwidth().tests_size(), 2);
  EXPECT_EQ(report.bandwidth().tests(0).source(), v1::BandwidthReport::SOURCE_TRAIN);
  EXPECT_EQ(report.bandwidth().tests(0).bytes_per_second(), 80'000'000U);
  EXPECT_EQ(report.bandwidth().tests(0).age_ns(), 4'000'000'000U);
  EXPECT_EQ(report.bandwidth().tests(1).source(), v1::BandwidthReport::SOURCE_SATURATION);
  EXPECT_TRUE(report.bandwidth().tests(1).at_least());
  v1::LinkReport other;
  FillTests(book, "tyo", kNow, other);
  EXPECT_FALSE(other.has_bandwidth());
}

TEST(BandwidthReports, SayWhatTheNodeSendsWhileItsCountersAreFresh) {
  CounterState counters;
  v1::LinkReport report;
  FillUse(counters, kNow, report);
  EXPECT_FALSE(report.has_bandwidth());
  counters.traffic = NodeTraffic{.transmit_bytes_per_second = 7.6, .at = kNow - Seconds(3)};
  FillUse(counters, kNow, report);
  EXPECT_EQ(report.bandwidth().used_bytes_per_second(), 8U);
  EXPECT_EQ(report.bandwidth().source(), v1::BandwidthReport::SOURCE_PASSIVE);
  EXPECT_EQ(report.bandwidth().age_ns(), 3'000'000'000U);
  v1::LinkReport late;
  FillUse(counters, kNow + Seconds(60), late);
  EXPECT_FALSE(late.has_bandwidth());
}

TEST(BandwidthReports, RepeatTheNewestOutcomesAndTheSpendingOfEachDay) {
  LeaseBook book;
  v1::ReportBatch batch;
  FillLeases(book, batch);
  EXPECT_FALSE(batch.has_tests());
  for (std::uint64_t id = 1; id <= 10; ++id) {
    book.Ended({.lease_id = id, .result = LeaseResult::kRefused, .why = "no"});
  }
  book.Ended({.lease_id = 10, .result = LeaseResult::kMeasured});
  DailyLedger ledger;
  ledger.Reserve("hk-sg", 20'000, 5, 100);
  ledger.Reserve("hk-sg", 20'001, 7, 100);
  book.Spent(ledger);
  FillLeases(book, batch);
  ASSERT_EQ(batch.tests().outcomes_size(), 8);
  EXPECT_EQ(batch.tests().outcomes(0).lease_id(), 3U);
  EXPECT_EQ(batch.tests().outcomes(7).lease_id(), 10U);
  EXPECT_EQ(batch.tests().outcomes(7).result(), v1::LeaseOutcome::RESULT_REFUSED);
  EXPECT_EQ(batch.tests().outcomes(7).why(), "no");
  ASSERT_EQ(batch.tests().spent_size(), 2);
  EXPECT_EQ(batch.tests().spent(0).day(), 20'001);
  EXPECT_EQ(batch.tests().spent(0).bytes(), 7U);
  EXPECT_EQ(book.counts().at(LeaseResult::kRefused), 10U);
  EXPECT_FALSE(book.counts().contains(LeaseResult::kMeasured));
}

// The words of a peer and the lines of a ledger may be any bytes, and a message with text that is
// no UTF-8 is refused as a whole.
TEST(BandwidthReports, CanBeReadWhateverAPeerSaidAndALedgerHolds) {
  LeaseBook book;
  book.Ended({.lease_id = 1, .why = "127.0.0.1:1: \xff\xfe" + std::string(9000, 'x')});
  auto ledger = DailyLedger::Parse("20000 5 hk-sg\n20000 6 \xc3(\n20001 7 " +
                                   std::string(100'000, 'x') + "\n");
  ASSERT_TRUE(ledger) << ledger.error().message;
  book.Spent(*ledger);
  v1::ReportBatch batch;
  FillLeases(book, batch);
  v1::ReportBatch read;
  ASSERT_TRUE(read.ParseFromString(batch.SerializeAsString()));
  ASSERT_EQ(read.tests().outcomes_size(), 1);
  EXPECT_EQ(read.tests().outcomes(0).why(), "127.0.0.1:1: ??" + std::string(497, 'x'));
  ASSERT_EQ(read.tests().spent_size(), 1);
  EXPECT_EQ(read.tests().spent(0).line(), "hk-sg");
}

}  // namespace
}  // namespace fairlead::linkprobe
