#include "extender/gang_plan/seat_pod.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "tests/extender/sample/links.h"

namespace fairlead::extender {
namespace {

using sample::At;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A cluster of three sites and one gang; pods ask, and may be bound where their seat is.
class SeatPodTest : public ::testing::Test {
 protected:
  SeatDecision Ask(const std::string& uid, std::optional<std::uint32_t> rank,
                   std::vector<std::string_view> nodes, bool full = true) {
    const SeatQuestion question{.gang = gang_,
                                .name = "train-1",
                                .uid = uid,
                                .rank = rank,
                                .size = size_,
                                .bound = bound_,
                                .node_sites = nodes,
                                .full = full};
    nodes_ = std::move(nodes);
    return SeatPod(
        table_, question,
        [&] {
          ++plans_;
          return PlanInputs{
              .profile = {},
              .lines = LineMatrix({"hk", "sg", "tyo"}, links_.Snapshot(), sample::Catalogue(), {}),
              .room = room_,
              .excluded = {},
              .needs = {}};
        },
        now_);
  }
  void Bind(const std::string& uid, const std::string& site, std::optional<std::uint32_t> rank) {
    bound_.push_back({uid, site, site + "-node", rank});
    --room_[site];
  }

  // What a scheduler offers: sites with room.
  std::vector<std::string_view> WithRoom() const {
    std::vector<std::string_view> sites;
    for (const auto& [site, room] : room_) {
      if (room > 0) sites.emplace_back(site);
    }
    return sites;
  }

  GangKey gang_{"job", "ml", "j1", ""};
  std::optional<std::uint32_t> size_ = 64;
  SiteCounts room_{{"hk", 40}, {"sg", 30}, {"tyo", 40}};
  sample::Links links_ = sample::Lab();
  std::vector<BoundMember> bound_;
  MonotonicTime now_ = At(0);
  PlanTable table_;
  int plans_ = 0;
  std::vector<std::string_view> nodes_;
};

TEST_F(SeatPodTest, TheFirstPodPlansTheGangAndAllOthersFollow) {
  const SeatDecision first = Ask("p0", 0, {"hk", "sg", "tyo"});
  EXPECT_EQ(first.replanned, "the gang had no plan");
  ASSERT_TRUE(first.seat);
  SiteCounts seats;
  for (std::uint32_t rank = 0; rank < 64; ++rank) {
    const SeatDecision decision = Ask("p" + std::to_string(rank), rank, {"hk", "sg", "tyo"});
    EXPECT_THAT(decision.replanned, IsEmpty());
    ++seats[decision.seat->site];
  }
  EXPECT_EQ(plans_, 1);
  EXPECT_EQ(seats, table_.Find(gang_)->plan.Counts());
  EXPECT_EQ(seats.size(), 2U);
}

TEST_F(SeatPodTest, NodesOffThePlanAreRefusedWithASentence) {
  Ask("p0", 0, {"hk", "sg", "tyo"});
  const std::string own = table_.Find(gang_)->seats.at("p0").site;
  const std::string_view other = own == "hk" ? "sg" : "hk";
  const SeatDecision decision = Ask("p0", 0, {own, "tyo", other, "", own, "tyo"});
  EXPECT_THAT(decision.filter.off_plan, ElementsAre(0, 1, 2, 3, 0, 1));
  ASSERT_EQ(decision.filter.sentences.size(), 3U);
  EXPECT_THAT(decision.filter.sentences[0], HasSubstr("gang train-1 (64) is planned as "));
  EXPECT_THAT(decision.filter.sentences[0],
              HasSubstr("; this pod's seat, rank 0, is in " + own + ", not in tyo"));
  EXPECT_THAT(decision.filter.sentences[2], HasSubstr("this node has no site label"));
}

TEST_F(SeatPodTest, ASingleNodeOffThePlanIsRefusedAndChangesNothing) {
  Ask("p0", 0, {"hk", "sg", "tyo"});
  const SeatDecision decision = Ask("p0", 0, {"tyo"}, /*full=*/false);
  EXPECT_THAT(decision.filter.off_plan, ElementsAre(1));
  EXPECT_THAT(decision.replanned, IsEmpty());
  EXPECT_THAT(Ask("p0", 0, {"hk", "sg"}).replanned, IsEmpty());
}

TEST_F(SeatPodTest, AFullRequestWithoutANodeOfThePlanMakesANewOne) {
  Ask("p0", 0, {"hk", "sg", "tyo"});
  const SeatDecision decision = Ask("p0", 0, {"tyo", "tyo"});
  EXPECT_EQ(decision.replanned, "no node of the plan was offered");
  EXPECT_EQ(decision.seat->site, "tyo");
  EXPECT_THAT(decision.filter.off_plan, Each(0U));
}

TEST_F(SeatPodTest, NodesOfNoKnownSiteAreLetThrough) {
  const SeatDecision decision = Ask("p0", 0, {"", ""});
  // The plan stands, but says nothing of such nodes when nothing else is offered.
  EXPECT_FALSE(decision.seat);
  EXPECT_THAT(decision.filter.off_plan, Each(0U));
}

TEST_F(SeatPodTest, AGangThatGrowsIsPlannedAnew) {
  size_ = 8;
  Ask("p0", 0, {"hk", "sg", "tyo"});
  size_ = 16;
  const SeatDecision decision = Ask("p1", 1, {"hk", "sg", "tyo"});
  EXPECT_EQ(decision.replanned, "the gang grew from 8 to 16");
  EXPECT_EQ(decision.plan->size, 16U);
}

TEST_F(SeatPodTest, MorePodsThanToldAreSeatedToo) {
  size_ = 2;
  for (std::uint32_t i = 0; i < 5; ++i) {
    const std::string uid = "p" + std::to_string(i);
    const SeatDecision decision = Ask(uid, i, {"hk", "sg", "tyo"});
    ASSERT_TRUE(decision.seat) << i;
    table_.Assume(gang_, uid, decision.seat->site + "-node", now_);
  }
  EXPECT_EQ(table_.Find(gang_)->plan.size, 5U);
  EXPECT_EQ(table_.Find(gang_)->plan.sites.size(), 1U);
}

TEST_F(SeatPodTest, AGangOfUnknownSizeIsFollowedMemberByMember) {
  size_ = std::nullopt;
  room_ = {{"hk", 2}, {"sg", 3}, {"tyo", 9}};
  for (std::uint32_t i = 0; i < 4; ++i) {
    const std::string uid = "p" + std::to_string(i);
    const SeatDecision decision = Ask(uid, {}, WithRoom());
    ASSERT_TRUE(decision.seat) << i;
    Bind(uid, decision.seat->site, {});
  }
  // hk, the tightest, holds two; then the nearest.
  EXPECT_EQ(table_.Find(gang_)->plan.Counts(), (SiteCounts{{"hk", 2}, {"sg", 2}}));
}

TEST_F(SeatPodTest, AMemberBoundElsewhereIsPlannedAround) {
  size_ = 4;
  Ask("p0", 0, {"hk", "sg", "tyo"});
  Bind("p0", "tyo", 0);
  const SeatDecision decision = Ask("p1", 1, {"hk", "sg", "tyo"});
  EXPECT_THAT(decision.replanned, HasSubstr("bound in tyo"));
  EXPECT_EQ(decision.seat->site, "tyo");
  EXPECT_THAT(Ask("p2", 2, {"hk", "sg", "tyo"}).replanned, IsEmpty());
}

TEST_F(SeatPodTest, APodWithoutRoomAnywhereIsNotHeldUpByThePlan) {
  room_ = {};
  const SeatDecision nothing = Ask("p0", 0, {});
  EXPECT_FALSE(nothing.seat);
  const SeatDecision decision = Ask("p0", 0, {"hk"});
  ASSERT_TRUE(decision.seat);  // what is offered has room for this pod
  EXPECT_EQ(decision.seat->site, "hk");
}

TEST_F(SeatPodTest, AnAnswerIsNoCommitment) {
  const std::string site = Ask("p0", 0, {"hk", "sg", "tyo"}).seat->site;
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(Ask("p0", 0, {"hk", "sg", "tyo"}).seat->site, site);
    table_.Assume(gang_, "p0", "n" + std::to_string(i), now_);
  }
  EXPECT_EQ(table_.seats(), 1U);
  EXPECT_EQ(plans_, 1);
}

// Pods come in any order; at some moment another extender takes over, which knows only what is
// bound.
TEST_F(SeatPodTest, ATakeoverInTheMiddleOfAGangChangesNoSeat) {
  std::mt19937 random(41);
  const auto between = [&random](std::uint32_t low, std::uint32_t high) {
    return std::uniform_int_distribution<std::uint32_t>(low, high)(random);
  };
  for (int round = 0; round < 20; ++round) {
    bound_.clear();
    room_ = {{"hk", between(20, 60)}, {"sg", between(20, 60)}, {"tyo", between(20, 60)}};
    size_ = between(20, 60);
    table_ = PlanTable();
    std::vector<std::uint32_t> ranks(*size_);
    std::iota(ranks.begin(), ranks.end(), 0U);
    std::ranges::shuffle(ranks, random);
    const std::uint32_t takeover = between(1, *size_ - 1);
    std::vector<RankBlock> blocks;
    for (std::uint32_t i = 0; i < *size_; ++i) {
      if (i == takeover) table_ = PlanTable();
      const std::string uid = "p" + std::to_string(ranks[i]);
      const SeatDecision decision = Ask(uid, ranks[i], WithRoom());
      ASSERT_TRUE(decision.seat);
      if (blocks.empty()) blocks = decision.plan->blocks;
      ASSERT_EQ(decision.plan->blocks, blocks) << "round " << round << " member " << i;
      Bind(uid, decision.seat->site, ranks[i]);
    }
  }
}

}  // namespace
}  // namespace fairlead::extender
