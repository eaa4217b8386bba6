#include "extender/link/link_aggregate.h"

#include <gmock/gmock.h>

#include <deque>

#include "tests/extender/sample/links.h"

namespace fairlead::extender {
namespace {

using sample::Ms;
using sample::Path;
using ::testing::Eq;

// Owns what FreshPath points at.
class Reports {
 public:
  PathReport& Add(const std::string& node, PathReport path, bool bad = false) {
    nodes_.push_back(node);
    reports_.push_back(std::move(path));
    paths_.push_back({&nodes_.back(), &reports_.back(), Seconds(1), bad});
    return reports_.back();
  }
  LinkView Values() const {
    LinkView view;
    AggregateValues(paths_, view);
    return view;
  }

 private:
  std::deque<std::string> nodes_;
  std::deque<PathReport> reports_;
  std::vector<FreshPath> paths_;
};

TEST(AggregateValues, NothingReportedLeavesEverythingAbsent) {
  const LinkView view = Reports().Values();
  EXPECT_THAT(view.rung, Eq(std::nullopt));
  EXPECT_THAT(view.rtt_p50, Eq(std::nullopt));
  EXPECT_THAT(view.age, Eq(std::nullopt));
  EXPECT_EQ(view.samples, 0U);
  EXPECT_EQ(view.forward.loss.upper, 1);
}

TEST(AggregateValues, TakesMinOfMinimaAndMedianOverNodes) {
  Reports reports;
  reports.Add("n1", Path("p1", "sg", 36));
  reports.Add("n2", Path("p1", "sg", 38));
  reports.Add("n3", Path("p1", "sg", 90));
  const LinkView view = reports.Values();
  EXPECT_THAT(view.rtt_min, Eq(Ms(35.5)));
  EXPECT_THAT(view.rtt_p50, Eq(Ms(38)));
  EXPECT_THAT(view.rtt_p99, Eq(Ms(39)));
  EXPECT_EQ(view.samples, 1800U);
  EXPECT_THAT(view.age, Eq(Ms(1100)));  // a second since received, 100 ms before that
}

TEST(AggregateValues, ANodeWithManyPathsWeighsAsOne) {
  Reports reports;
  for (std::uint32_t i = 0; i < 9; ++i) {
    reports.Add("n1", Path("p1", "sg", 90)).path = i;
  }
  reports.Add("n2", Path("p1", "sg", 36));
  reports.Add("n3", Path("p1", "sg", 37));
  EXPECT_THAT(reports.Values().rtt_p50, Eq(Ms(37)));
}

TEST(AggregateValues, SumsCountsAndBoundsTheSum) {
  Reports reports;
  reports.Add("n1", Path("p1", "sg", 36)).measurement.forward.loss = MakeLossInterval(0, 1000);
  reports.Add("n2", Path("p1", "sg", 36)).measurement.forward.loss = MakeLossInterval(10, 1000);
  const LossInterval loss = reports.Values().forward.loss;
  EXPECT_EQ(loss.lost, 10U);
  EXPECT_EQ(loss.sent, 2000U);
  EXPECT_DOUBLE_EQ(loss.ratio, 0.005);
  // Wilson by hand: centre (0.005 + 3.8415/4000) / (1 + 3.8415/2000) = 0.005949,
  // half 1.96/1.00192 x sqrt(0.005 x 0.995 / 2000 + 3.8415/16e6) = 0.003231.
  EXPECT_NEAR(loss.lower, 0.00272, 1e-5);
  EXPECT_NEAR(loss.upper, 0.00918, 1e-5);
}

TEST(AggregateValues, TheBestRungWithAnswersWinsAlone) {
  Reports reports;
  reports.Add("n1", Path("p1", "sg", 36));
  reports.Add("n2", Path("p1", "sg", 40)).measurement.rung = TransportRung::kUdpSw;
  PathReport& silent = reports.Add("n3", Path("p1", "sg", 35));
  silent.measurement.rung = TransportRung::kRdmaUdHw;
  silent.measurement.samples = 0;
  silent.measurement.rtt_min = silent.measurement.rtt_p50 = silent.measurement.rtt_p99 = {};
  const LinkView view = reports.Values();
  EXPECT_THAT(view.rung, Eq(TransportRung::kRdmaUdSw));
  EXPECT_THAT(view.rtt_p50, Eq(Ms(36)));
  EXPECT_EQ(view.samples, 600U);
  ASSERT_EQ(view.contributors.size(), 3U);
  EXPECT_TRUE(view.contributors[0].measures);
  EXPECT_FALSE(view.contributors[1].measures);
  EXPECT_FALSE(view.contributors[2].measures);
}

TEST(AggregateValues, ABadNodeIsListedButNotCounted) {
  Reports reports;
  reports.Add("n1", Path("p1", "sg", 36));
  reports.Add("n2", Path("p1", "sg", 20), true);
  const LinkView view = reports.Values();
  EXPECT_THAT(view.rtt_min, Eq(Ms(35.5)));
  EXPECT_EQ(view.samples, 600U);
  ASSERT_EQ(view.contributors.size(), 2U);
  EXPECT_FALSE(view.contributors[1].measures);
  EXPECT_FALSE(view.contributors[1].judges);
}

TEST(AggregateValues, DirectionsStayApart) {
  Reports reports;
  PathReport& path = reports.Add("n1", Path("p1", "sg", 36));
  path.measurement.forward.jitter = Ms(1);
  path.measurement.forward.hops = 7;
  path.measurement.forward.longest_burst = 3;
  path.measurement.reverse.jitter = Ms(4);
  path.measurement.reverse.loss = MakeLossInterval(6, 600);
  PathReport& other = reports.Add("n2", Path("p1", "sg", 36));
  other.measurement.forward.longest_burst = 2;
  const LinkView view = reports.Values();
  EXPECT_THAT(view.forward.jitter, Eq(Ms(1)));
  EXPECT_THAT(view.reverse.jitter, Eq(Ms(4)));
  EXPECT_THAT(view.forward.hops, Eq(7U));
  EXPECT_THAT(view.reverse.hops, Eq(std::nullopt));
  EXPECT_EQ(view.forward.longest_burst, 3U);
  EXPECT_EQ(view.forward.loss.lost, 0U);
  EXPECT_EQ(view.reverse.loss.lost, 6U);
}

}  // namespace
}  // namespace fairlead::extender
