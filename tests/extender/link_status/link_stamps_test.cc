#include "extender/link_status/link_stamps.h"

#include <gtest/gtest.h>

#include "tests/extender/link_status/sample_objects.h"

namespace fairlead::extender {
namespace {

using sample::WallAt;

// Both directions, reported `report_s` ago, in `state` for `state_s`.
LinkObject Object(LinkState state, double state_s, double report_s = 1) {
  sample::Links links = sample::ReportedLab().State("hk", "sg", state, LinkReason::kNone);
  sample::Report(links.At("hk", "sg"), report_s, state_s);
  sample::Report(links.At("sg", "hk"), report_s + 2, state_s);
  return sample::HkSg(links);
}

LinkObject Silent() {
  sample::Links links = sample::ReportedLab();
  sample::Silence(links.At("hk", "sg"));
  sample::Silence(links.At("sg", "hk"));
  return sample::HkSg(links);
}

TEST(LinkStamps, OfANewLinkAreOfNow) {
  const LinkStamps stamps = StampsOf(Object(LinkState::kDegraded, 40), {}, WallAt(1000));
  EXPECT_EQ(stamps.since, WallAt(960));
  EXPECT_EQ(stamps.reported, WallAt(997)) << "of the direction where that is longer ago";
  EXPECT_EQ(stamps.healthy, ConditionStatus::kFalse);
  EXPECT_EQ(stamps.healthy_since, WallAt(1000));
  EXPECT_EQ(stamps.fresh, ConditionStatus::kTrue);
}

TEST(LinkStamps, HealthyFollowsTheState) {
  using enum LinkState;
  const struct {
    LinkState state;
    ConditionStatus healthy;
  } kCases[] = {{kUnknown, ConditionStatus::kUnknown},
                {kHealthy, ConditionStatus::kTrue},
                {kSuspect, ConditionStatus::kUnknown},
                {kDegraded, ConditionStatus::kFalse},
                {kDown, ConditionStatus::kFalse}};
  for (const auto& c : kCases) {
    EXPECT_EQ(StampsOf(Object(c.state, 1), {}, WallAt(9)).healthy, c.healthy);
  }
}

TEST(LinkStamps, SinceStaysWhileTheStateStands) {
  LinkStamps stamps = StampsOf(Object(LinkState::kHealthy, 100), {}, WallAt(1000));
  for (int i = 1; i <= 100; ++i) {
    // The count wavers by some ms, and the wall clock is slewed besides.
    const double wavers = i * 0.05 + (i % 2 ? 0.3 : -0.3);
    stamps =
        StampsOf(Object(LinkState::kHealthy, 100 + i * 60 + wavers), stamps, WallAt(1000 + i * 60));
    ASSERT_EQ(stamps.since, WallAt(900)) << i;
    ASSERT_EQ(stamps.healthy_since, WallAt(1000)) << i;
  }
}

TEST(LinkStamps, AStateThatWasLeftMeanwhileBeginsAnew) {
  const LinkStamps before = StampsOf(Object(LinkState::kHealthy, 100), {}, WallAt(1000));
  // For 20 minutes nothing could be written.
  const LinkStamps after = StampsOf(Object(LinkState::kHealthy, 60), before, WallAt(2200));
  EXPECT_EQ(after.since, WallAt(2140));
  EXPECT_EQ(after.healthy_since, before.healthy_since) << "as far as anyone was told";
}

TEST(LinkStamps, AnotherReplicasSinceIsTakenOverWhereItCanBeTrue) {
  LinkStamps theirs = StampsOf(Object(LinkState::kDegraded, 5000), {}, WallAt(10'000));
  theirs.counted_since.reset();
  const struct {
    const char* what;
    LinkState state;
    double state_s;
    double now_s;
    double since_s;
  } kCases[] = {
      {"this one has begun just now", LinkState::kDegraded, 2, 10'060, 5000},
      {"and after ten minutes without any", LinkState::kDegraded, 2, 10'590, 5000},
      {"too long ago to say", LinkState::kDegraded, 2, 10'700, 10'698},
      {"another state", LinkState::kHealthy, 2, 10'060, 10'058},
      {"this one has seen it for longer", LinkState::kDegraded, 6000, 10'060, 4060},
  };
  for (const auto& c : kCases) {
    const auto taken = StampsOf(Object(c.state, c.state_s), theirs, WallAt(c.now_s));
    EXPECT_EQ(taken.since, WallAt(c.since_s)) << c.what;
    // And it stays so.
    const auto later = StampsOf(Object(c.state, c.state_s + 60), taken, WallAt(c.now_s + 60));
    EXPECT_EQ(later.since, WallAt(c.since_s)) << c.what;
  }
}

TEST(LinkStamps, WhatIsStaleKeepsItsLastReport) {
  const LinkStamps before = StampsOf(Object(LinkState::kHealthy, 100), {}, WallAt(1000));
  LinkStamps stale = StampsOf(Silent(), before, WallAt(1100));
  EXPECT_EQ(stale.state, LinkState::kUnknown);
  EXPECT_EQ(stale.fresh, ConditionStatus::kFalse);
  EXPECT_EQ(stale.fresh_since, WallAt(1100));
  EXPECT_EQ(stale.reported, WallAt(997));
  stale = StampsOf(Silent(), stale, WallAt(1200));
  EXPECT_EQ(stale.fresh_since, WallAt(1100));
  EXPECT_EQ(stale.reported, WallAt(997));
  EXPECT_EQ(StampsOf(Silent(), {}, WallAt(1100)).reported, std::nullopt);
}

}  // namespace
}  // namespace fairlead::extender
