#include "deviceplugin/doctor_facts/node_checks.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>

namespace fairlead::deviceplugin {
namespace {

// The reading of the third look means that the reports of the second are published.
TEST(NodeChecksTest, LooksAgainAndAgain) {
  const SystemClock clock;
  std::atomic<int> looks = 0;
  std::promise<void> third;
  NodeChecks checks(
      [&]() -> std::optional<NodeFacts> {
        if (++looks == 3) third.set_value();
        return NodeFacts();
      },
      clock, {.first_after = Nanoseconds(0), .every = Nanoseconds(1)});
  third.get_future().wait();
  EXPECT_FALSE(checks.reports().Get()->empty());
  EXPECT_EQ(checks.reports().Get()->front().name, "devices");
}

TEST(NodeChecksTest, EndsWithoutEverLooking) {
  const SystemClock clock;
  NodeChecks checks([]() -> std::optional<NodeFacts> { return NodeFacts(); }, clock,
                    {.first_after = Seconds(3600), .every = Seconds(3600)});
  EXPECT_TRUE(checks.reports().Get()->empty());
}

TEST(NodeChecksTest, WhatCouldNotBeReadLeavesAllAsItWas) {
  const SystemClock clock;
  std::atomic<int> looks = 0;
  std::promise<void> fourth;
  NodeChecks checks(
      [&]() -> std::optional<NodeFacts> {
        const int look = ++looks;
        if (look == 4) fourth.set_value();
        if (look == 1) return NodeFacts();
        return std::nullopt;
      },
      clock, {.first_after = Nanoseconds(0), .every = Nanoseconds(1)});
  fourth.get_future().wait();
  EXPECT_FALSE(checks.reports().Get()->empty());
}

}  // namespace
}  // namespace fairlead::deviceplugin
