#include "linkprobe/bandwidth/daily_ledger.h"

#include <gmock/gmock.h>

#include <random>

#include "linkprobe/bandwidth/byte_budget.h"
#include "linkprobe/bandwidth/delivery_meter.h"
#include "linkprobe/bandwidth/round_trips.h"

namespace fairlead::linkprobe {
namespace {

using ::testing::HasSubstr;

TEST(DailyLedgerTest, NeverMoreThanTheLimitOverAnyRestarts) {
  std::mt19937_64 random(1);
  constexpr std::uint64_t kLimit = 1'000'000;
  DailyLedger ledger;
  std::uint64_t sent = 0;
  for (int i = 0; i < 500; ++i) {
    const std::uint64_t reserved = ledger.Reserve("hk-sg", 20'000, random() % 50'000, kLimit);
    const std::uint64_t used = reserved == 0 ? 0 : random() % (reserved + 1);
    sent += used;
    // One in three dies before it gives back.
    if (random() % 3 != 0) ledger.Return("hk-sg", 20'000, reserved - used);
    const auto restarted = DailyLedger::Parse(ledger.Format());
    ASSERT_TRUE(restarted);
    ledger = *restarted;
    ASSERT_LE(sent, ledger.Spent("hk-sg", 20'000));
    ASSERT_LE(ledger.Spent("hk-sg", 20'000), kLimit);
  }
  const std::uint64_t left = kLimit - ledger.Spent("hk-sg", 20'000);
  EXPECT_EQ(ledger.Reserve("hk-sg", 20'000, 1 << 30, kLimit), left);
  EXPECT_EQ(ledger.Reserve("hk-sg", 20'000, 1, kLimit), 0U);
}

TEST(DailyLedgerTest, LinesAndDaysAreApart) {
  DailyLedger ledger;
  EXPECT_EQ(ledger.Reserve("a b", 5, 700, 1'000), 700U);
  EXPECT_EQ(ledger.Reserve("a b", 5, 700, 1'000), 300U);
  EXPECT_EQ(ledger.Reserve("a b", 5, 700, 1'000), 0U);
  EXPECT_EQ(ledger.Reserve("a b", 5, 700, 500), 0U);  // a limit that was lowered
  EXPECT_EQ(ledger.Reserve("c", 5, 700, 1'000), 700U);
  EXPECT_EQ(ledger.Reserve("a b", 6, 700, 1'000), 700U);
  EXPECT_EQ(ledger.Format(), "5 1000 a b\n5 700 c\n6 700 a b\n");
  // A clock that is set back meets the day as it was left; days that are over are forgotten.
  EXPECT_EQ(ledger.Reserve("a b", 5, 1, 1'000), 0U);
  ledger.Reserve("a b", 8, 1, 1'000);
  EXPECT_EQ(ledger.Spent("a b", 6), 0U);
  ledger.Return("a b", 6, 100);
  ledger.Return("a b", 8, 100);
  EXPECT_EQ(ledger.Spent("a b", 8), 0U);
}

TEST(DailyLedgerTest, WhatCannotBeReadIsNotEmpty) {
  for (const char* text : {"x", "5 6\n", "5 6 ", "5 -1 a\n", "5 6 a\nrubbish\n", "5 6 a",
                           "5 99999999999999999999 a\n", "\n"}) {
    const auto read = DailyLedger::Parse(text);
    EXPECT_FALSE(read) << text;
  }
  EXPECT_THAT(DailyLedger::Parse("5 6 a\nrubbish\n").error().message, HasSubstr("line 2"));
  EXPECT_TRUE(DailyLedger::Parse(""));
}

TEST(DailyLedgerTest, DaysAreThoseOfUtc) {
  EXPECT_EQ(DayOf(WallTime{}), 0);
  EXPECT_EQ(DayOf(WallTime{Seconds(86'399)}), 0);
  EXPECT_EQ(DayOf(WallTime{Seconds(86'400)}), 1);
}

TEST(ByteBudgetTest, WhatIsReturnedIsLeft) {
  ByteBudget budget(10);
  EXPECT_EQ(budget.Take(8), 8U);
  budget.Return(3);
  EXPECT_EQ(budget.spent(), 5U);
  EXPECT_EQ(budget.Take(8), 5U);
  budget.Return(100);
  EXPECT_EQ(budget.left(), 10U);
}

TEST(ByteBudgetTest, GrantsWhatIsLeft) {
  ByteBudget budget(10);
  EXPECT_EQ(budget.Take(7), 7U);
  EXPECT_EQ(budget.Take(7), 3U);
  EXPECT_EQ(budget.Take(7), 0U);
  EXPECT_EQ(budget.spent(), 10U);
}

TEST(DeliveryMeterTest, CountsIntervalsThatAreOpenAtTheirBegin) {
  const auto at = [](int ms) { return MonotonicTime(Milliseconds(ms)); };
  DeliveryMeter meter(Milliseconds(100));
  meter.Add(at(10), 100);
  meter.Add(at(20), 200);
  meter.Add(at(15), 50);  // counts at 20
  meter.Add(at(30), 400);
  EXPECT_EQ(meter.Bytes(at(10), at(20)), 250U);
  EXPECT_EQ(meter.Bytes(at(0), at(19)), 100U);
  EXPECT_EQ(meter.Bytes(at(30), at(10)), 0U);
  EXPECT_DOUBLE_EQ(meter.Rate(at(10), at(30)), 650 / 0.02);
  meter.Add(at(500), 1);
  EXPECT_EQ(meter.Bytes(at(450), at(500)), 1U);
  EXPECT_EQ(meter.total(), 751U);
}

TEST(RoundTripsTest, MedianOfTheNewest) {
  const auto at = [](int ms) { return MonotonicTime(Milliseconds(ms)); };
  RoundTrips trips(3);
  EXPECT_FALSE(trips.Median(at(0)));
  for (int i = 1; i <= 5; ++i) trips.Add(at(i), Milliseconds(i * 10));
  EXPECT_EQ(trips.size(), 3U);
  EXPECT_EQ(trips.Median(at(0)), Nanoseconds(Milliseconds(40)));
  EXPECT_EQ(trips.Median(at(4)), Nanoseconds(Milliseconds(50)));
  EXPECT_FALSE(trips.Median(at(4), 2));
  EXPECT_EQ(trips.Spread(at(0)), Nanoseconds(Milliseconds(10)));
  EXPECT_EQ(trips.Spread(at(4)), Nanoseconds(0));
  EXPECT_EQ(trips.MeanGap(), Nanoseconds(Milliseconds(1)));
  EXPECT_EQ(trips.NowAtLeast(at(6), 3, Milliseconds(1)), Nanoseconds(Milliseconds(48)));
  EXPECT_EQ(trips.NowAtLeast(at(6), 3, Milliseconds(10)), Nanoseconds(Milliseconds(40)));
  EXPECT_EQ(trips.NowAtLeast(at(105), 3, Milliseconds(10)), Nanoseconds(Milliseconds(120)));
  EXPECT_FALSE(trips.NowAtLeast(at(6), 4, Milliseconds(1)));
}

}  // namespace
}  // namespace fairlead::linkprobe
