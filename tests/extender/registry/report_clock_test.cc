#include "extender/registry/report_clock.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

namespace fairlead::extender {
namespace {

const WallTime kNow{Seconds(1'800'000'000)};

TEST(CheckReportTime, TakesClocksThatAreAFewMinutesOff) {
  for (const Nanoseconds off :
       {Nanoseconds(0), Nanoseconds(1), Nanoseconds(Seconds(10)), kClockTolerance}) {
    EXPECT_TRUE(CheckReportTime(kNow - off, kNow));
    EXPECT_TRUE(CheckReportTime(kNow + off, kNow));
  }
}

TEST(CheckReportTime, RefusesTheRestAndSaysWhichWay) {
  const std::string remedy = " the extender's; set the clock that is wrong, by NTP or PTP";
  const auto say = [](WallTime at) { return CheckReportTime(at, kNow).error().message; };
  EXPECT_EQ(say(kNow - Seconds(301)), "the node's clock is 5.017 min behind" + remedy);
  EXPECT_EQ(say(kNow + Seconds(301)), "the node's clock is 5.017 min ahead of" + remedy);
  EXPECT_EQ(say(WallTime{}), "the node's clock is 500000 h behind" + remedy);
  EXPECT_FALSE(
      CheckReportTime(WallTime{Nanoseconds(std::numeric_limits<std::int64_t>::max())}, kNow));
}

}  // namespace
}  // namespace fairlead::extender
