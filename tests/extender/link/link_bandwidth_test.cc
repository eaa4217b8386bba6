// What a link carries and has left, from the reports of its nodes.
#include <gtest/gtest.h>

#include <algorithm>

#include "extender/link/link_table.h"
#include "tests/extender/sample/links.h"

namespace fairlead::extender {
namespace {

using sample::At;
using sample::Path;
using sample::WallAt;

class LinkBandwidth : public ::testing::Test {
 protected:
  // hk1 sends `used` bytes per second and sg1 receives them.
  void Report(double at, double used, std::vector<CapacityTest> tests = {}) {
    ++sequence_;
    PathReport path = Path("sg1", "sg", 36);
    path.tests = std::move(tests);
    Ingest("hk1", "hk", at, {.transmit_bytes_per_second = used}, {path});
    Ingest("sg1", "sg", at, {.receive_bytes_per_second = used}, {Path("hk1", "hk", 36)});
  }
  void Ingest(const std::string& node, const std::string& site, double at, NodeTraffic traffic,
              std::vector<PathReport> paths) {
    ASSERT_TRUE(table_.Ingest({.node = node,
                               .site = site,
                               .sequence = sequence_,
                               .sent_at = WallAt(1e9 + at),
                               .received_at = At(at),
                               .paths = std::move(paths),
                               .traffic = traffic}));
  }
  LinkView View(double at, const std::string& from = "hk", const std::string& to = "sg") {
    return *table_.TakeSnapshot(At(at), {{"hk", 1}, {"sg", 1}, {"tyo", 1}}).Find(from, to);
  }

  LinkTable table_{{}, sample::Catalogue()};  // lines of 1 Gb/s: 125 MB/s
  std::uint64_t sequence_ = 0;
};

const CapacityTest kTrain{
    .source = RateSource::kTrain, .bytes_per_second = 100e6, .age = Seconds(9)};

TEST_F(LinkBandwidth, OfADeclaredLineWhatIsNotUsedIsAvailableAtLeast) {
  Report(10, 25e6);
  const LinkView view = View(11);
  ASSERT_TRUE(view.rate);
  EXPECT_EQ(view.rate->bytes_per_second, 125e6);
  EXPECT_EQ(view.rate->source, RateSource::kDeclared);
  EXPECT_EQ(view.available_bytes_per_second, 100e6);
  EXPECT_TRUE(view.available_at_least);
  EXPECT_FALSE(View(11, "sg", "tyo").available_bytes_per_second) << "tyo does not tell";
}

TEST_F(LinkBandwidth, ATestCountsForItsDirection) {
  Report(10, 25e6, {kTrain});
  const LinkView view = View(11);
  EXPECT_EQ(view.rate->bytes_per_second, 100e6);
  EXPECT_EQ(view.rate->age, Seconds(10));
  EXPECT_EQ(view.available_bytes_per_second, 75e6);
  EXPECT_EQ(View(11, "sg", "hk").rate->bytes_per_second, 125e6);
}

TEST_F(LinkBandwidth, ATestOutlivesTheReportThatBroughtIt) {
  Report(10, 25e6, {kTrain});
  View(11);
  Report(20, 25e6);  // the probe has started anew
  EXPECT_EQ(View(21).rate->source, RateSource::kTrain);
  EXPECT_EQ(View(21).rate->age, Seconds(20));
  EXPECT_EQ(View(10 + 6 * 3600).rate->source, RateSource::kDeclared);
}

TEST_F(LinkBandwidth, MoreThanTheLineCarriesIsCarriedElsewhere) {
  Report(10, 500e6);
  EXPECT_FALSE(View(11).available_bytes_per_second);
}

TEST_F(LinkBandwidth, WhatATestSendsIsNotUse) {
  Report(10, 5e6);
  View(11);
  table_.SetTested({{"hk", "sg"}}, {}, At(11));
  Report(15, 120e6);
  const LinkView during = View(16);
  EXPECT_EQ(during.used->bytes_per_second, 5e6);
  EXPECT_EQ(during.used->age, Seconds(6));
  table_.SetTested({}, {}, At(17));
  EXPECT_EQ(View(17).used->bytes_per_second, 120e6);
}

// As a probe reports while a test fills its line, and for as long as its window looks back on that.
PathReport Queued() {
  PathReport path = Path("sg1", "sg", 60);
  path.measurement.forward.loss = MakeLossInterval(60, 600);
  path.measurement.forward.jitter = Milliseconds(20);
  return path;
}

class BesideATest : public LinkBandwidth, public ::testing::WithParamInterface<LinkKey> {
 protected:
  void Reported(double at, PathReport path) {
    ++sequence_;
    Ingest("hk1", "hk", at, {}, {std::move(path)});
  }
  static void IsAsBefore(const LinkView& view) {
    EXPECT_EQ(view.rtt_p50, sample::Ms(36));
    EXPECT_EQ(view.rtt_p99, sample::Ms(37));
    EXPECT_EQ(view.forward.loss.lost, 0U);
    EXPECT_FALSE(view.forward.jitter);
  }
  static void IsAsMeasured(const LinkView& view) {
    EXPECT_EQ(view.rtt_p50, sample::Ms(60));
    EXPECT_EQ(view.forward.loss.lost, 60U);
    EXPECT_FALSE(view.before_test);
  }
  const std::set<LinkKey> test_{GetParam()};
};

TEST_P(BesideATest, ALinkIsPricedAsBefore) {
  Reported(10, Path("sg1", "sg", 36));
  EXPECT_FALSE(View(10).before_test);
  table_.SetTested(test_, {}, At(11));
  Reported(15, Queued());
  LinkView view = View(16);
  IsAsBefore(view);
  EXPECT_EQ(view.before_test, Seconds(6));
  EXPECT_EQ(view.age, sample::Ms(1100)) << "its probes are answered";
  table_.SetTested({}, {}, At(17));
  Reported(70, Queued());
  IsAsBefore(View(75));  // the window of 60 s looks back on it
  IsAsMeasured(View(76));
  const auto history = table_.TakeSnapshot(At(76), {}).histories;
  const bool shown = std::ranges::any_of(history, [](const LinkHistory& points) {
    return std::ranges::any_of(*points,
                               [](const auto& point) { return point.rtt_p50 == sample::Ms(60); });
  });
  EXPECT_TRUE(shown) << "the history has what was measured";
}

TEST_P(BesideATest, AStateThatIsBadOrUnknownCountsWithWhatIsMeasured) {
  for (const LinkState state : {LinkState::kDegraded, LinkState::kDown, LinkState::kUnknown}) {
    table_ = LinkTable({}, sample::Catalogue());
    Reported(10, Path("sg1", "sg", 36));
    View(10);
    table_.SetTested(test_, {}, At(11));
    Reported(15, sample::Judged(Queued(), state, LinkReason::kNoReply));
    IsAsMeasured(View(16));
    Reported(20, Queued());
    IsAsMeasured(View(21));  // what was before has been overtaken
  }
}

TEST_P(BesideATest, WhatWasNeverKnownIsAsMeasured) {
  table_.SetTested(test_, {}, At(11));
  Reported(15, Queued());
  IsAsMeasured(View(16));
}

TEST_P(BesideATest, ValuesOfAnotherRungAreNotMixedIn) {
  Reported(10, Path("sg1", "sg", 36));
  View(10);
  table_.SetTested(test_, {}, At(11));
  PathReport other = Queued();
  other.measurement.rung = TransportRung::kUdpSw;
  Reported(15, other);
  IsAsMeasured(View(16));
}

TEST_P(BesideATest, AStaleLinkHasNoValues) {
  Reported(10, Path("sg1", "sg", 36));
  View(10);
  table_.SetTested(test_, {}, At(11));
  EXPECT_FALSE(View(40).rtt_p50);
}

INSTANTIATE_TEST_SUITE_P(Over, BesideATest,
                         ::testing::Values(LinkKey{"hk", "sg"}, LinkKey{"sg", "hk"}),
                         [](const auto& each) {
                           return each.param.from_site + "_" + each.param.to_site;
                         });

TEST_F(LinkBandwidth, HowLongAStateStandsIsCountedFromTheFirstView) {
  EXPECT_EQ(View(100, "hk", "tyo").state_age, Nanoseconds(0));
  EXPECT_EQ(View(103, "hk", "tyo").state_age, Seconds(3));
}

}  // namespace
}  // namespace fairlead::extender
