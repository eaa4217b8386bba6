#include "linkprobe/udp/clock_bridge.h"

#include <gtest/gtest.h>

#include "linkprobe/udp/send_stamps.h"

namespace fairlead::linkprobe {
namespace {

constexpr MonotonicTime kSteady{Seconds(100)};
constexpr WallTime kWall{Seconds(1'700'000'000)};

TEST(ClockBridgeTest, ConvertsWithTheNewestOffset) {
  ClockBridge bridge({kSteady, kWall});
  EXPECT_EQ(bridge.ToSteady(kWall + Nanoseconds(1234)), kSteady + Nanoseconds(1234));
  EXPECT_FALSE(bridge.Resample({kSteady + Seconds(1), kWall + Seconds(1) + Nanoseconds(400)}));
  EXPECT_EQ(bridge.ToSteady(kWall + Seconds(1)), kSteady + Seconds(1) - Nanoseconds(400));
}

struct Case {
  const char* what;
  Nanoseconds elapsed;
  Nanoseconds moved;
  bool step;
};

TEST(ClockBridgeTest, TellsStepsFromSlewing) {
  const Case cases[] = {
      {"nothing", Milliseconds(100), Nanoseconds(0), false},
      {"reading noise", Milliseconds(100), std::chrono::microseconds(300), false},
      {"500 ppm over an hour", Seconds(3600), Milliseconds(1800), false},
      {"forward", Milliseconds(100), Milliseconds(2), true},
      {"backward", Milliseconds(100), Milliseconds(-2), true},
      {"five seconds forward", Milliseconds(1), Seconds(5), true},
      {"a day back", Seconds(10), Seconds(-86400), true},
  };
  for (const Case& c : cases) {
    ClockBridge bridge({kSteady, kWall});
    EXPECT_EQ(bridge.Resample({kSteady + c.elapsed, kWall + c.elapsed + c.moved}), c.step)
        << c.what;
    // A step is noticed once; afterwards stamps are right again.
    EXPECT_FALSE(bridge.Resample(
        {kSteady + c.elapsed + Milliseconds(1), kWall + c.elapsed + c.moved + Milliseconds(1)}))
        << c.what;
  }
}

TEST(SendStampLedgerTest, HandsOutEachTokenOnce) {
  SendStampLedger ledger;
  ledger.Sent(71, kSteady);
  ledger.Sent(72, kSteady + Milliseconds(1));
  EXPECT_TRUE(ledger.waiting());
  const MonotonicTime now = kSteady + Milliseconds(5);
  EXPECT_EQ(ledger.Claim(1, kSteady + Milliseconds(2), now), 72U);
  EXPECT_EQ(ledger.Claim(1, kSteady + Milliseconds(2), now), std::nullopt);
  EXPECT_EQ(ledger.Claim(0, kSteady + Milliseconds(2), now), 71U);
  EXPECT_FALSE(ledger.waiting());
}

TEST(SendStampLedgerTest, RefusesStampsOutsideTheSend) {
  const MonotonicTime now = kSteady + Milliseconds(5);
  SendStampLedger ledger;
  ledger.Sent(1, kSteady);
  EXPECT_EQ(ledger.Claim(0, kSteady - Milliseconds(1), now), std::nullopt);
  ledger.Sent(2, kSteady);
  EXPECT_EQ(ledger.Claim(1, now + Milliseconds(1), now), std::nullopt);
  EXPECT_EQ(ledger.Claim(99, kSteady, now), std::nullopt);
}

TEST(SendStampLedgerTest, ForgetsTheOldestAndRestarts) {
  SendStampLedger ledger;
  for (std::uint64_t i = 0; i < 100; ++i) ledger.Sent(1000 + i, kSteady);
  EXPECT_EQ(ledger.Claim(10, kSteady, kSteady), std::nullopt);
  EXPECT_EQ(ledger.Claim(99, kSteady, kSteady), 1099U);
  ledger.Restart();
  EXPECT_FALSE(ledger.waiting());
  ledger.Sent(5, kSteady);
  EXPECT_EQ(ledger.Claim(0, kSteady, kSteady), 5U);
}

}  // namespace
}  // namespace fairlead::linkprobe
