#include "extender/cluster_api/watch_times.h"

#include <gtest/gtest.h>

namespace fairlead::extender {
namespace {

TEST(WatchTimes, AreAThirdToHalfOfTheStaleTime) {
  const kube::ReflectorLimits limits = WatchTimesFor(Seconds(90));
  EXPECT_EQ(limits.times.least_watch_timeout, Seconds(30));
  EXPECT_EQ(limits.times.most_watch_timeout, Seconds(45));
  EXPECT_EQ(limits.watch_silence, Seconds(60))
      << "a server that hangs is found while it is still believed";
}

TEST(WatchTimes, StayWithinWhatAServerTakes) {
  for (const Nanoseconds stale : {Nanoseconds(Seconds(1)), Nanoseconds(Milliseconds(2500)),
                                  Nanoseconds(Seconds(8)), Nanoseconds(Seconds(3600))}) {
    const kube::ReflectorLimits limits = WatchTimesFor(stale);
    EXPECT_GE(limits.times.least_watch_timeout, Seconds(1));
    EXPECT_LE(limits.times.least_watch_timeout, limits.times.most_watch_timeout);
    EXPECT_LE(limits.times.most_watch_timeout, Seconds(600));
    EXPECT_GT(limits.watch_silence, limits.times.most_watch_timeout);
    if (stale >= Seconds(2)) {
      EXPECT_LE(2 * limits.times.most_watch_timeout, stale);
    }
  }
}

}  // namespace
}  // namespace fairlead::extender
