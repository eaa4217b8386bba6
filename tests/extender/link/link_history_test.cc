#include "extender/link/link_history.h"

#include <gtest/gtest.h>

#include "tests/extender/sample/links.h"

namespace fairlead::extender {
namespace {

using sample::At;
using sample::Ms;
using sample::View;

TEST(LinkHistoryRing, OnePointAStepWithTheNewestValueAndTheWorstState) {
  LinkHistoryRing ring;
  LinkView view = View("hk", "sg", 36, 37);
  ring.Add(view, At(0), Seconds(5), 10);
  view.state = LinkState::kDegraded;
  view.rtt_p50 = Ms(61);
  ring.Add(view, At(2), Seconds(5), 10);
  view.state = LinkState::kHealthy;
  view.rtt_p50 = Ms(36.5);
  ring.Add(view, At(4), Seconds(5), 10);
  ring.Add(view, At(5), Seconds(5), 10);
  ASSERT_EQ(ring.Points()->size(), 2U);
  EXPECT_EQ(ring.Points()->at(0).at, At(0));
  EXPECT_EQ(ring.Points()->at(0).rtt_p50, Ms(36.5));
  EXPECT_EQ(ring.Points()->at(0).state, LinkState::kDegraded);
  EXPECT_EQ(ring.Points()->at(1).state, LinkState::kHealthy);
}

TEST(LinkHistoryRing, KeepsTheNewestOfItsBound) {
  LinkHistoryRing ring;
  for (int i = 0; i < 500; ++i) ring.Add(View("hk", "sg", 36 + i, 600), At(i), Seconds(1), 180);
  ASSERT_EQ(ring.Points()->size(), 180U);
  EXPECT_EQ(ring.Points()->front().at, At(320));
  EXPECT_EQ(ring.Points()->back().rtt_p50, Ms(535));
}

TEST(LinkHistoryRing, WhatAReaderHoldsDoesNotChange) {
  LinkHistoryRing ring;
  ring.Add(View("hk", "sg", 36, 37), At(0), Seconds(5), 10);
  const LinkHistory held = ring.Points();
  ring.Add(View("hk", "sg", 50, 51), At(1), Seconds(5), 10);
  EXPECT_EQ(held->at(0).rtt_p50, Ms(36));
}

TEST(LinkHistoryRing, WhatIsNotKnownIsAbsent) {
  LinkHistoryRing ring;
  ring.Add(LinkView{}, At(0), Seconds(5), 10);
  EXPECT_EQ(ring.Points()->at(0).rtt_p50, std::nullopt);
  EXPECT_EQ(ring.Points()->at(0).loss_forward, std::nullopt);
  EXPECT_EQ(ring.Points()->at(0).state, LinkState::kUnknown);
}

}  // namespace
}  // namespace fairlead::extender
