#include "extender/gang_plan/plan_table.h"

#include <gmock/gmock.h>

#include "tests/extender/sample/links.h"

namespace fairlead::extender {
namespace {

using sample::At;
using ::testing::IsEmpty;

const GangKey kGang{"job", "ml", "j1", "1"};

GangPlan Plan(std::vector<PlannedSite> sites, bool ranks = true) {
  GangPlan plan;
  for (const PlannedSite& site : sites) {
    if (ranks) plan.blocks.push_back({plan.size, site.members, site.site});
    plan.size += site.members;
  }
  plan.planned = plan.size;
  plan.sites = std::move(sites);
  for (std::size_t i = 1; i < plan.sites.size(); ++i) {
    plan.lines.emplace_back(plan.sites[i - 1].site, plan.sites[i].site);
  }
  return plan;
}

class PlanTableTest : public ::testing::Test {
 protected:
  void Keep(GangPlan plan, double at = 0, const GangKey& gang = kGang) {
    table_.Keep(gang, std::move(plan), {}, {}, At(at));
  }
  SeatOutcome Take(std::string_view uid, std::optional<std::uint32_t> rank,
                   std::vector<std::string_view> sites, bool full = true, double at = 0) {
    return table_.Take(kGang, {.uid = uid, .rank = rank, .sites = sites, .full = full}, At(at));
  }
  // The site of a pod's seat; empty without one.
  std::string SiteOf(std::string_view uid) const {
    const auto& seats = table_.Find(kGang)->seats;
    const auto found = seats.find(uid);
    return found == seats.end() ? std::string() : found->second.site;
  }

  PlanTable table_{Seconds(60)};
};

TEST_F(PlanTableTest, APodHasTheSeatOfItsRankAndKeepsIt) {
  Keep(Plan({{"hk", 2}, {"sg", 2}}));
  EXPECT_EQ(Take("c", 2, {"hk", "sg"}), SeatOutcome::kSeated);
  EXPECT_EQ(SiteOf("c"), "sg");
  EXPECT_EQ(Take("c", 2, {"hk", "sg"}), SeatOutcome::kSeated);
  EXPECT_EQ(SiteOf("c"), "sg");
  EXPECT_EQ(table_.seats(), 1U);
}

TEST_F(PlanTableTest, PodsWithoutRanksFillTheSitesInOrder) {
  Keep(Plan({{"sg", 1}, {"hk", 2}}));
  for (const char* uid : {"a", "b", "c"}) Take(uid, {}, {"hk", "sg"});
  EXPECT_EQ(SiteOf("a") + SiteOf("b") + SiteOf("c"), "sghkhk");
  EXPECT_EQ(Take("d", {}, {"hk", "sg"}), SeatOutcome::kNoneLeft);
}

TEST_F(PlanTableTest, ASingleNodeDoesNotMoveARankButAPodWithoutOneFollowsIt) {
  Keep(Plan({{"hk", 1}, {"sg", 1}}));
  EXPECT_EQ(Take("ranked", 1, {"hk"}, false), SeatOutcome::kSeated);
  EXPECT_EQ(SiteOf("ranked"), "sg");
  Keep(Plan({{"hk", 1}, {"sg", 1}}));
  EXPECT_EQ(Take("free", {}, {"sg"}, false), SeatOutcome::kSeated);
  EXPECT_EQ(SiteOf("free"), "sg");
  EXPECT_EQ(Take("free", {}, {"hk"}, false), SeatOutcome::kSeated);
  EXPECT_EQ(SiteOf("free"), "hk");
  EXPECT_EQ(Take("other", {}, {"us"}, false), SeatOutcome::kSeated);
  EXPECT_EQ(SiteOf("other"), "sg");
}

TEST_F(PlanTableTest, AFullRequestWithoutItsSiteMovesThePodWhereASeatIsLeft) {
  Keep(Plan({{"hk", 1}, {"sg", 1}}));
  Take("a", 1, {"hk", "sg"});
  EXPECT_EQ(Take("a", 1, {"hk"}), SeatOutcome::kSeated);
  EXPECT_EQ(SiteOf("a"), "hk");
  EXPECT_EQ(Take("b", 0, {"hk"}), SeatOutcome::kNotOffered);
  EXPECT_EQ(Take("b", 0, {"us"}), SeatOutcome::kNotOffered);
}

TEST_F(PlanTableTest, APodThatCameBackTakesTheSeatOfItsRank) {
  Keep(Plan({{"hk", 1}, {"sg", 1}}));
  Take("before", 1, {"hk", "sg"});
  Take("after", 1, {"hk", "sg"});
  EXPECT_EQ(SiteOf("before"), "");
  EXPECT_EQ(SiteOf("after"), "sg");
}

TEST_F(PlanTableTest, ABeliefIsSupersededAndABoundNodeStands) {
  Keep(Plan({{"hk", 2}}));
  Take("a", 0, {"hk"});
  table_.Assume(kGang, "a", "n1", At(1));
  table_.Assume(kGang, "a", "n2", At(2));
  EXPECT_EQ(table_.Find(kGang)->seats.at("a").node, "n2");
  table_.Observe(kGang, std::vector<BoundMember>{{"a", "hk", "n3", 0}}, At(3));
  table_.Assume(kGang, "a", "n4", At(4));
  EXPECT_EQ(table_.Find(kGang)->seats.at("a").node, "n3");
  table_.Assume(kGang, "stranger", "n4", At(4));
  EXPECT_EQ(table_.seats(), 1U);
}

TEST_F(PlanTableTest, MembersWhereThePlanHasThemSayNothingAgainstIt) {
  Keep(Plan({{"hk", 1}, {"sg", 1}}));
  const std::vector<BoundMember> bound{{"a", "hk", "n1", 0}, {"b", "sg", "n2", 1}};
  table_.Observe(kGang, bound, At(1));
  EXPECT_THAT(table_.Find(kGang)->contradiction, IsEmpty());
  EXPECT_EQ(table_.seats(), 2U);
  table_.Observe(kGang, std::span(bound).first(1), At(2));
  EXPECT_EQ(table_.seats(), 1U) << "a bound member that is gone leaves its seat";
}

TEST_F(PlanTableTest, AMemberElsewhereContradictsThePlanOnce) {
  Keep(Plan({{"hk", 1}, {"sg", 1}}));
  const std::vector<BoundMember> bound{{"a", "tyo", "n9", 0}};
  table_.Observe(kGang, bound, At(1));
  EXPECT_EQ(table_.Find(kGang)->contradiction,
            "a member is bound in tyo, where the plan has no seat left of 0");
  table_.Keep(kGang, Plan({{"hk", 1}, {"sg", 1}}), {}, bound, At(2));
  table_.Observe(kGang, bound, At(3));
  EXPECT_THAT(table_.Find(kGang)->contradiction, IsEmpty());
}

TEST_F(PlanTableTest, ARankInAnotherBlockContradictsThePlan) {
  Keep(Plan({{"hk", 1}, {"sg", 1}}));
  table_.Observe(kGang, std::vector<BoundMember>{{"a", "sg", "n9", 0}}, At(1));
  EXPECT_EQ(table_.Find(kGang)->contradiction,
            "rank 0 is bound in sg, where the plan has it in hk");
}

TEST_F(PlanTableTest, APlanEndsWithoutProgressAndAskingIsNone) {
  Keep(Plan({{"hk", 2}}), 0);
  Take("a", 0, {"hk"}, true, 50);
  table_.Expire(At(59));
  EXPECT_NE(table_.Find(kGang), nullptr);
  table_.Assume(kGang, "a", "n1", At(59));
  table_.Expire(At(118));
  EXPECT_NE(table_.Find(kGang), nullptr);
  table_.Expire(At(119));
  EXPECT_EQ(table_.Find(kGang), nullptr);
  EXPECT_EQ(table_.seats(), 0U);
  EXPECT_EQ(Take("a", 0, {"hk"}), SeatOutcome::kNoneLeft);
}

TEST_F(PlanTableTest, SeatsOfPodsThatAskNoMoreAreFreed) {
  Keep(Plan({{"hk", 2}}), 0);
  Take("a", 0, {"hk"}, true, 0);
  table_.Observe(kGang, std::vector<BoundMember>{{"b", "hk", "n", 1}}, At(30));
  table_.Expire(At(70));
  EXPECT_EQ(SiteOf("a"), "");
  EXPECT_EQ(SiteOf("b"), "hk");
}

TEST_F(PlanTableTest, AnotherIncarnationReplacesThePlan) {
  Keep(Plan({{"hk", 2}}));
  const GangKey next{"job", "ml", "j1", "2"};
  const GangKey other{"job", "ml", "j2", "1"};
  Keep(Plan({{"hk", 2}}), 1, other);
  Keep(Plan({{"sg", 2}}), 1, next);
  EXPECT_EQ(table_.Find(kGang), nullptr);
  EXPECT_NE(table_.Find(next), nullptr);
  EXPECT_NE(table_.Find(other), nullptr);
}

TEST_F(PlanTableTest, ANewPlanKeepsMembersWithNodesOnly) {
  Keep(Plan({{"hk", 3}}));
  for (const auto* uid : {"a", "b", "c"}) Take(uid, {}, {"hk"});
  table_.Assume(kGang, "a", "n1", At(1));
  table_.Observe(kGang, std::vector<BoundMember>{{"b", "hk", "n2", {}}}, At(1));
  Keep(Plan({{"hk", 2}, {"sg", 1}}), 2);
  EXPECT_EQ(SiteOf("a") + SiteOf("b") + SiteOf("c"), "hkhk");
}

TEST_F(PlanTableTest, PromisesAndCrossingsAreThoseOfTheOthers) {
  Keep(Plan({{"hk", 3}, {"sg", 2}}));
  Take("a", 0, {"hk"});
  Take("b", 1, {"hk"});
  table_.Assume(kGang, "a", "n1", At(1));
  const GangKey other{"job", "ml", "j2", ""};
  const auto promised = table_.Promised(other);
  ASSERT_EQ(promised.size(), 2U);
  EXPECT_EQ(promised[0].site, "hk");
  EXPECT_EQ(promised[0].members, 2U);  // "b" has a seat, but no node yet
  EXPECT_EQ(promised[1].members, 2U);
  EXPECT_EQ(table_.Crossings(other), (LineOccupancy{{{"hk", "sg"}, 1}}));
  EXPECT_THAT(table_.Promised(kGang), IsEmpty());
  EXPECT_THAT(table_.Crossings(kGang), IsEmpty());
}

TEST(PlanTable, IsBounded) {
  PlanTable table(Seconds(60), 2, 100);
  const auto key = [](int i) { return GangKey{"job", "ml", "j" + std::to_string(i), ""}; };
  for (int i = 0; i < 5; ++i) table.Keep(key(i), Plan({{"hk", 80}}), {}, {}, At(i));
  EXPECT_EQ(table.size(), 2U);
  EXPECT_NE(table.Find(key(4)), nullptr);
  EXPECT_NE(table.Find(key(3)), nullptr);
  const std::vector<std::string_view> hk{"hk"};
  for (const int gang : {3, 4}) {
    for (int i = 0; i < 60; ++i) {
      table.Take(key(gang), {.uid = std::to_string(i), .rank = {}, .sites = hk}, At(6));
    }
  }
  EXPECT_EQ(table.size(), 1U);
  EXPECT_LE(table.seats(), 100U);
}

}  // namespace
}  // namespace fairlead::extender
