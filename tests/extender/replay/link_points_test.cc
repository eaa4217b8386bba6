#include "extender/replay/link_points.h"

#include <gmock/gmock.h>

#include <cmath>
#include <functional>

#include "tests/extender/replay/recording.h"

namespace fairlead::extender {
namespace {

using testing::HasSubstr;

LinkPoint PointAt(int second) {
  LinkPoint point;
  point.at = Recording::After(Seconds(second));
  point.state = LinkState::kHealthy;
  point.rtt_p50 = Milliseconds(36);
  return point;
}

struct Case {
  const char* name;
  std::function<void(LinkPoint&)> spoil;
  const char* said;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class WrongPoint : public testing::TestWithParam<Case> {};

TEST_P(WrongPoint, IsRefusedWithLinkMomentValueAndRemedy) {
  const LineCatalogue lines = sample::Catalogue();
  LinkPointsBuilder builder(lines);
  ASSERT_TRUE(builder.Add({"hk", "sg"}, PointAt(10)));
  LinkPoint point = PointAt(20);
  GetParam().spoil(point);
  const Status added = builder.Add({"hk", "sg"}, point);
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(added.error().message, HasSubstr("hk>sg at 2026-11-30T00:00:"));
  EXPECT_THAT(added.error().message, HasSubstr(GetParam().said));
  EXPECT_EQ(builder.Take().at({"hk", "sg"}).size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(
    Each, WrongPoint,
    testing::Values(
        Case{"Twice", [](LinkPoint& p) { p.at = PointAt(10).at; }, "told before; remove one"},
        Case{"Unsorted", [](LinkPoint& p) { p.at = PointAt(5).at; }, "sort the file by time"},
        Case{"RttInMilliseconds", [](LinkPoint& p) { p.rtt_p50 = Seconds(36); },
             "36 s, more than 10 s; times are in seconds, are these milliseconds?"},
        Case{"RttBelowTheFloor", [](LinkPoint& p) { p.rtt_p50 = std::chrono::microseconds(36); },
             "36 us, less than the 25.33 ms that light in fibre takes"},
        Case{"P99BelowTheFloor", [](LinkPoint& p) { p.rtt_p99 = Milliseconds(2); },
             "RTT p99 is 2 ms"},
        Case{"RttOfNothing", [](LinkPoint& p) { p.rtt_min = Nanoseconds(0); }, "least RTT is 0"},
        Case{"LossInPercent", [](LinkPoint& p) { p.loss_reverse.ratio = 12; },
             "loss reverse is 12; it is a share from 0 to 1, not percent"},
        Case{"LossOfPortsBelowZero", [](LinkPoint& p) { p.port_loss = LossInterval{.lower = -1}; },
             "loss by ports"},
        Case{"RateBelowZero", [](LinkPoint& p) { p.rate_bytes_per_second = -1; }, "rate is -1"},
        Case{"NothingAvailableAtAll",
             [](LinkPoint& p) { p.available_bytes_per_second = std::nan(""); },
             "what is available is nan"},
        Case{"AgeAhead", [](LinkPoint& p) { p.age = Seconds(-3); }, "age is -3 s"},
        Case{"JitterBelowZero", [](LinkPoint& p) { p.jitter_forward = Milliseconds(-3); },
             "jitter forward is -3 ms"}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST(LinkPoints, TheInsideOfASiteAndSitesWithoutCoordinatesHaveNoFloor) {
  const LineCatalogue lines = sample::Catalogue();
  LinkPointsBuilder builder(lines);
  LinkPoint point = PointAt(10);
  point.rtt_p50 = std::chrono::microseconds(4);
  EXPECT_TRUE(builder.Add({"hk", "hk"}, point));
  EXPECT_TRUE(builder.Add({"hk", "mars"}, point));
  EXPECT_EQ(builder.Newest({"hk", "mars"}), point.at);
  EXPECT_FALSE(builder.Newest({"mars", "hk"}));
}

TEST(LinkPoints, MomentsAreSecondsOfThisTime) {
  EXPECT_EQ(*MomentOf(1'795'996'800.25), Recording::After(Milliseconds(250)));
  for (const double wrong : {0.0, -1.0, 1e9 / 2, 1.7959968e12, 1e300, std::nan("")}) {
    EXPECT_FALSE(MomentOf(wrong)) << wrong;
  }
  EXPECT_THAT(MomentOf(1.7959968e12).error().message, HasSubstr("are these milliseconds?"));
}

TEST(LinkPoints, SpansFitIntoNanoseconds) {
  EXPECT_EQ(*SpanOf(0.0362), std::chrono::microseconds(36'200));
  EXPECT_EQ(*SpanOf(-1), Seconds(-1));
  for (const double wrong : {1e10, -1e300, std::nan(""), HUGE_VAL}) EXPECT_FALSE(SpanOf(wrong));
}

}  // namespace
}  // namespace fairlead::extender
