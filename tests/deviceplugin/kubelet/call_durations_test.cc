#include "deviceplugin/kubelet/call_durations.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace fairlead::deviceplugin {
namespace {

TEST(CallDurationsTest, EachCallIsInTheFirstBucketThatHoldsIt) {
  CallDurations durations;
  for (const Nanoseconds bound : kCallBounds) {
    durations.Add(bound);                   // with the bound in it
    durations.Add(bound + Nanoseconds(1));  // and no more
  }
  const CallCounts counts = durations.counts();
  EXPECT_EQ(counts.calls.front(), 1U);
  for (std::size_t i = 1; i < counts.calls.size() - 1; ++i) EXPECT_EQ(counts.calls[i], 2U) << i;
  EXPECT_EQ(counts.calls.back(), 1U);
  const auto sum = std::accumulate(kCallBounds.begin(), kCallBounds.end(), Nanoseconds(0));
  EXPECT_EQ(counts.nanoseconds, 2 * static_cast<std::uint64_t>(sum.count()) + kCallBounds.size());
}

TEST(CallDurationsTest, BoundsAscend) {
  EXPECT_EQ(std::adjacent_find(kCallBounds.begin(), kCallBounds.end(), std::greater_equal<>()),
            kCallBounds.end());
}

}  // namespace
}  // namespace fairlead::deviceplugin
