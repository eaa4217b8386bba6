#include "extender/link/link_table.h"

#include <gmock/gmock.h>

#include "tests/extender/sample/links.h"

namespace fairlead::extender {
namespace {

using sample::At;
using sample::Judged;
using sample::Ms;
using sample::Path;
using sample::WallAt;
using ::testing::ElementsAre;
using ::testing::Eq;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

PathReportBatch Batch(const std::string& node, const std::string& site, std::uint64_t sequence,
                      double at, std::vector<PathReport> paths) {
  return {node, site, sequence, WallAt(1e9 + at), At(at), std::move(paths)};
}

class LinkTableTest : public ::testing::Test {
 protected:
  // One representative in hk and one in sg.
  LinkTable table_{{}, sample::Catalogue()};
  HealthyNodes healthy_{{"hk", 1}, {"sg", 1}, {"tyo", 1}};
};

TEST_F(LinkTableTest, ListsAllOrderedPairsOfConfiguredSitesBeforeAnyReport) {
  const LinkSnapshot snapshot = table_.TakeSnapshot(At(0), {});
  EXPECT_EQ(snapshot.links.size(), 12U);  // 4 x 3
  ASSERT_NE(snapshot.Find("hk", "sg"), nullptr);
  EXPECT_EQ(snapshot.Find("hk", "sg")->state, LinkState::kUnknown);
  EXPECT_EQ(snapshot.Find("hk", "sg")->reason, LinkReason::kNoData);
  EXPECT_THAT(snapshot.Find("hk", "sg")->rtt_p50, Eq(std::nullopt));
  EXPECT_THAT(snapshot.Find("hk", "sg")->capacity_bytes_per_second, Eq(125e6));
  EXPECT_EQ(snapshot.Find("hk", "hk"), nullptr);
  EXPECT_EQ(snapshot.Find("hk", "nowhere"), nullptr);
}

TEST_F(LinkTableTest, AReportBecomesAViewOfItsDirection) {
  ASSERT_TRUE(table_.Ingest(Batch("hk1", "hk", 1, 10, {Path("sg1", "sg", 36)})));
  const LinkSnapshot snapshot = table_.TakeSnapshot(At(11), healthy_);
  const LinkView& view = *snapshot.Find("hk", "sg");
  EXPECT_EQ(view.state, LinkState::kHealthy);
  EXPECT_THAT(view.rtt_p50, Eq(Ms(36)));
  EXPECT_THAT(view.age, Eq(Ms(1100)));
  ASSERT_TRUE(view.path_stretch.has_value());
  EXPECT_NEAR(*view.path_stretch, 35.5 / 25.3, 0.01);
  EXPECT_EQ(view.quorum, 1U);
  EXPECT_EQ(snapshot.Find("sg", "hk")->state, LinkState::kUnknown);
  EXPECT_EQ(snapshot.histories.size(), snapshot.links.size());
}

TEST_F(LinkTableTest, WhatIsStaleIsUnknownAndItsValuesAreGone) {
  ASSERT_TRUE(table_.Ingest(Batch("hk1", "hk", 1, 0, {Path("sg1", "sg", 36)})));
  EXPECT_EQ(table_.TakeSnapshot(At(29.9), healthy_).Find("hk", "sg")->state, LinkState::kHealthy);
  const LinkSnapshot stale = table_.TakeSnapshot(At(30), healthy_);
  EXPECT_EQ(stale.Find("hk", "sg")->state, LinkState::kUnknown);
  EXPECT_THAT(stale.Find("hk", "sg")->rtt_p50, Eq(std::nullopt));
  EXPECT_THAT(stale.Find("hk", "sg")->contributors, IsEmpty());
}

TEST_F(LinkTableTest, ABatchReplacesTheOneBeforeIt) {
  ASSERT_TRUE(
      table_.Ingest(Batch("hk1", "hk", 1, 0, {Path("sg1", "sg", 36), Path("sg2", "sg", 36)})));
  ASSERT_TRUE(table_.Ingest(Batch("hk1", "hk", 2, 1, {Path("sg2", "sg", 40)})));
  const LinkSnapshot snapshot = table_.TakeSnapshot(At(1), healthy_);
  EXPECT_THAT(snapshot.Find("hk", "sg")->rtt_p50, Eq(Ms(40)));
  EXPECT_EQ(snapshot.Find("hk", "sg")->contributors.size(), 1U);
}

TEST_F(LinkTableTest, ReportsFromThePastAreRefusedWithTheReason) {
  ASSERT_TRUE(table_.Ingest(Batch("hk1", "hk", 5, 10, {Path("sg1", "sg", 36)})));
  const auto repeated = table_.Ingest(Batch("hk1", "hk", 5, 11, {Path("sg1", "sg", 99)}));
  ASSERT_FALSE(repeated);
  EXPECT_THAT(repeated.error().message, HasSubstr("sequence 5 does not follow 5"));
  auto old = Batch("hk1", "hk", 6, 11, {Path("sg1", "sg", 99)});
  old.sent_at = WallAt(1e9 + 9);
  const auto past = table_.Ingest(old);
  ASSERT_FALSE(past);
  EXPECT_THAT(past.error().message, HasSubstr("sent 1 s before"));
  const auto received_earlier = table_.Ingest([&] {
    auto batch = Batch("hk1", "hk", 6, 11, {});
    batch.received_at = At(9);
    return batch;
  }());
  EXPECT_FALSE(received_earlier);
  EXPECT_THAT(table_.TakeSnapshot(At(11), healthy_).Find("hk", "sg")->rtt_p50, Eq(Ms(36)));
}

TEST_F(LinkTableTest, ANewStreamMayStartOverAndSetTheClockBack) {
  ASSERT_TRUE(table_.Ingest(Batch("hk1", "hk", 500, 10, {Path("sg1", "sg", 36)})));
  table_.OpenStream("hk1");
  table_.OpenStream("never-seen");
  EXPECT_THAT(table_.TakeSnapshot(At(10), healthy_).Find("hk", "sg")->rtt_p50, Eq(Ms(36)));
  auto batch = Batch("hk1", "hk", 1, 11, {Path("sg1", "sg", 37)});
  batch.sent_at = WallAt(5);
  ASSERT_TRUE(table_.Ingest(batch));
  EXPECT_THAT(table_.TakeSnapshot(At(11), healthy_).Find("hk", "sg")->rtt_p50, Eq(Ms(37)));
}

TEST_F(LinkTableTest, AForgottenNodeLeavesWhatOthersSayOfIt) {
  ASSERT_TRUE(table_.Ingest(Batch("hk1", "hk", 1, 0, {Path("sg1", "sg", 36)})));
  ASSERT_TRUE(table_.Ingest(Batch("sg1", "sg", 1, 0, {Path("hk1", "hk", 38)})));
  table_.ForgetNode("hk1");
  table_.ForgetNode("never-seen");
  const LinkSnapshot snapshot = table_.TakeSnapshot(At(1), healthy_);
  EXPECT_EQ(snapshot.Find("hk", "sg")->state, LinkState::kUnknown);
  EXPECT_EQ(snapshot.Find("sg", "hk")->state, LinkState::kHealthy);
}

TEST_F(LinkTableTest, ABadPathIsRefusedAloneAndNamed) {
  PathReport bad = Path("sg2", "sg", 36);
  bad.measurement.rtt_min = Ms(-3);
  const auto outcome = table_.Ingest(Batch(
      "hk1", "hk", 1, 0, {bad, Path("sg1", "sg", 36), Path("sg1", "sg", 37), Path("", "sg", 1)}));
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->accepted, 1U);
  EXPECT_THAT(outcome->refused, ElementsAre(HasSubstr("sg2"), HasSubstr("peer node is empty"),
                                            HasSubstr("more than once")));
  EXPECT_THAT(table_.TakeSnapshot(At(1), healthy_).Find("hk", "sg")->rtt_p50, Eq(Ms(36)));
}

TEST_F(LinkTableTest, RefusesABatchWithoutNames) {
  EXPECT_FALSE(table_.Ingest(Batch("", "hk", 1, 0, {})));
  EXPECT_FALSE(table_.Ingest(Batch("hk1", "", 1, 0, {})));
}

TEST(LinkTableBounds, NodesAndPathsAreBoundedAndStaleNodesMakeRoom) {
  LinkTableSettings settings;
  settings.max_nodes = 2;
  settings.max_paths_per_node = 1;
  LinkTable table(settings, {});
  const auto outcome =
      table.Ingest(Batch("a", "x", 1, 0, {Path("p", "y", 36), Path("q", "y", 36)}));
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->accepted, 1U);
  EXPECT_THAT(outcome->refused, ElementsAre(HasSubstr("beyond the 1 paths")));
  ASSERT_TRUE(table.Ingest(Batch("b", "x", 1, 20, {Path("p", "y", 36)})));
  const auto third = table.Ingest(Batch("c", "x", 1, 20, {Path("p", "y", 36)}));
  ASSERT_FALSE(third);
  EXPECT_EQ(third.error().code, ErrorCode::kResourceExhausted);
  table.TakeSnapshot(At(31), {});
  EXPECT_TRUE(table.Ingest(Batch("c", "x", 1, 31, {Path("p", "y", 36)})));
}

TEST_F(LinkTableTest, StateAgeCountsFromTheChange) {
  ASSERT_TRUE(table_.Ingest(Batch("hk1", "hk", 1, 0, {Path("sg1", "sg", 36)})));
  table_.TakeSnapshot(At(0), healthy_);
  EXPECT_THAT(table_.TakeSnapshot(At(7), healthy_).Find("hk", "sg")->state_age, Eq(Seconds(7)));
  ASSERT_TRUE(table_.Ingest(
      Batch("hk1", "hk", 2, 8,
            {Judged(Path("sg1", "sg", 61), LinkState::kDegraded, LinkReason::kRttStep)})));
  const LinkSnapshot changed = table_.TakeSnapshot(At(8), healthy_);
  EXPECT_EQ(changed.Find("hk", "sg")->state, LinkState::kDegraded);
  EXPECT_THAT(changed.Find("hk", "sg")->state_age, Eq(Seconds(0)));
  EXPECT_THAT(table_.TakeSnapshot(At(10), healthy_).Find("hk", "sg")->state_age, Eq(Seconds(2)));
}

TEST_F(LinkTableTest, TheQuorumIsTwoWhereTwoNodesAreHealthy) {
  const auto degraded = Judged(Path("sg1", "sg", 61), LinkState::kDegraded, LinkReason::kRttStep);
  ASSERT_TRUE(table_.Ingest(Batch("hk1", "hk", 1, 0, {degraded})));
  EXPECT_EQ(table_.TakeSnapshot(At(0), {{"hk", 5}}).Find("hk", "sg")->state, LinkState::kSuspect);
  EXPECT_EQ(table_.TakeSnapshot(At(0), {{"hk", 1}}).Find("hk", "sg")->state, LinkState::kDegraded);
  // A site that is not named counts who reports: one.
  EXPECT_EQ(table_.TakeSnapshot(At(0), {}).Find("hk", "sg")->state, LinkState::kDegraded);
  ASSERT_TRUE(table_.Ingest(Batch("hk2", "hk", 1, 0, {Path("sg1", "sg", 36)})));
  EXPECT_EQ(table_.TakeSnapshot(At(0), {}).Find("hk", "sg")->state, LinkState::kSuspect);
}

TEST_F(LinkTableTest, WhereOneNodeProbesForItsSiteNobodyElseHasToAgree) {
  table_.Configure({.representatives_per_site = 1}, {});
  const auto degraded = Judged(Path("sg1", "sg", 61), LinkState::kDegraded, LinkReason::kRttStep);
  ASSERT_TRUE(table_.Ingest(Batch("hk1", "hk", 1, 0, {degraded})));
  EXPECT_EQ(table_.TakeSnapshot(At(0), {{"hk", 5}}).Find("hk", "sg")->state, LinkState::kDegraded);
}

TEST_F(LinkTableTest, ABadNodeDoesNotCondemnItsLines) {
  const auto down = [](const char* peer, const char* site) {
    return Judged(Path(peer, site, 36), LinkState::kDown, LinkReason::kNoReply);
  };
  ASSERT_TRUE(table_.Ingest(Batch("hk1", "hk", 1, 0, {down("sg1", "sg"), down("tyo1", "tyo")})));
  ASSERT_TRUE(
      table_.Ingest(Batch("hk2", "hk", 1, 0, {Path("sg1", "sg", 36), Path("tyo1", "tyo", 50)})));
  const LinkSnapshot snapshot = table_.TakeSnapshot(At(1), {{"hk", 2}});
  ASSERT_EQ(snapshot.bad_nodes.size(), 1U);
  EXPECT_EQ(snapshot.bad_nodes[0].node, "hk1");
  EXPECT_EQ(snapshot.Find("hk", "sg")->state, LinkState::kHealthy);
}

TEST_F(LinkTableTest, SitesThatAreNotConfiguredVanishWithTheirReports) {
  ASSERT_TRUE(table_.Ingest(Batch("us1", "us", 1, 0, {Path("hk1", "hk", 150)})));
  EXPECT_NE(table_.TakeSnapshot(At(0), {}).Find("us", "hk"), nullptr);
  EXPECT_EQ(table_.TakeSnapshot(At(30), {}).Find("us", "hk"), nullptr);
}

TEST_F(LinkTableTest, HistoryGrowsStepByStep) {
  for (int second = 0; second <= 20; ++second) {
    ASSERT_TRUE(table_.Ingest(Batch("hk1", "hk", second + 1U, second, {Path("sg1", "sg", 36)})));
    table_.TakeSnapshot(At(second), healthy_);
  }
  const LinkSnapshot snapshot = table_.TakeSnapshot(At(20), healthy_);
  const auto index = static_cast<std::size_t>(snapshot.Find("hk", "sg") - snapshot.links.data());
  EXPECT_EQ(snapshot.histories[index]->size(), 5U);  // 0, 5, 10, 15, 20
}

}  // namespace
}  // namespace fairlead::extender
