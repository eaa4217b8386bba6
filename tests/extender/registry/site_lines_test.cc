// What plans say of a site's lines, from the links as they are known.
#include "extender/registry/site_lines.h"

#include <gtest/gtest.h>

#include "common/link/loss_interval.h"
#include "extender/registry/plan_codec.h"
#include "tests/extender/sample/links.h"

namespace fairlead::extender {
namespace {

using sample::At;
using sample::Catalogue;
using sample::Links;
using sample::Ms;

std::vector<SiteLine> Lines(const Links& links, const std::string& site, double later = 0) {
  LinkSnapshot snapshot = links.Snapshot();
  snapshot.taken_at = At(100);
  return LinesOfSite(snapshot, Catalogue(), site, At(100 + later));
}

TEST(SiteLines, AreOfTheSlowerDirectionAndTheWorseLoss) {
  Links links = Links().Line("hk", "sg", 36, 38).Line("sg", "tyo", 68, 70).Line("hk", "hk", 1, 1);
  LinkView& back = links.At("sg", "hk");
  back.rtt_p50 = Ms(41);
  back.age = Seconds(9);
  back.reverse.loss = MakeLossInterval(30, 1000);
  const auto lines = Lines(links, "hk", 0.25);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].peer_site, "sg");
  EXPECT_EQ(lines[0].rtt, Ms(41));
  EXPECT_EQ(lines[0].age, Ms(9250)) << "with the time since the snapshot";
  EXPECT_EQ(lines[0].loss->lost, 30U);
  EXPECT_EQ(lines[0].capacity_bits_per_second, 1'000'000'000U);
  const auto of_sg = Lines(links, "sg");
  ASSERT_EQ(of_sg.size(), 2U);
  EXPECT_EQ(of_sg[0].rtt, Ms(41)) << "the same from both ends";
  EXPECT_EQ(of_sg[1].peer_site, "tyo");
}

TEST(SiteLines, LeaveOutWhatNoProbeMeasures) {
  Links links = Links().Line("hk", "sg", 36, 38).Line("hk", "tyo", 50, 50).Line("hk", "mars", 9, 9);
  for (LinkView* view : {&links.At("hk", "sg"), &links.At("sg", "hk")}) {
    view->rtt_p50.reset();
    view->age.reset();
  }
  for (LinkView* view : {&links.At("hk", "tyo"), &links.At("tyo", "hk")}) {
    view->rung = TransportRung::kPromql;
  }
  links.At("hk", "mars").forward.loss = links.At("hk", "mars").reverse.loss = {};
  links.At("mars", "hk").age.reset();
  const auto lines = Lines(links, "hk");
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].peer_site, "mars");
  EXPECT_FALSE(lines[0].loss) << "nothing was sent";
  EXPECT_FALSE(lines[0].capacity_bits_per_second) << "nothing is declared";
}

TEST(SiteLines, AreBounded) {
  Links links;
  for (int i = 0; i < 90; ++i) links.Line("hk", "s" + std::to_string(100 + i), 10, 10);
  const auto lines = Lines(links, "hk");
  ASSERT_EQ(lines.size(), kMostSiteLines);
  EXPECT_EQ(lines.front().peer_site, "s100");
  EXPECT_EQ(lines.back().peer_site, "s163");
}

TEST(SiteLines, TravelWithThePlanAndMakeItNoOther) {
  NodePlan plan{.term = 1, .revision = 2, .site = "hk"};
  plan.lines = Lines(Links().Line("hk", "sg", 36, 38), "hk", 4);
  const v1::ProbePlan wire = EncodePlan(plan);
  ASSERT_EQ(wire.lines_size(), 1);
  EXPECT_EQ(wire.lines(0).peer_site(), "sg");
  EXPECT_EQ(wire.lines(0).rtt_ns(), 36'000'000U);
  EXPECT_EQ(wire.lines(0).age_ns(), 4'000'000'000U);
  EXPECT_EQ(wire.lines(0).loss_lower(), 0);
  EXPECT_DOUBLE_EQ(wire.lines(0).loss_upper(), MakeLossInterval(0, 1000).upper);
  EXPECT_EQ(wire.lines(0).capacity_bits_per_second(), 1'000'000'000U);
  EXPECT_TRUE(plan.SameContent({.term = 1, .revision = 3, .site = "hk"}));
}

}  // namespace
}  // namespace fairlead::extender
