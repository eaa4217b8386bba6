#include "deviceplugin/discovery/scan_schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace fairlead::deviceplugin {
namespace {

MonotonicTime At(int milliseconds) {
  return MonotonicTime(std::chrono::milliseconds(milliseconds));
}

TEST(ScanSchedule, WaitsForEvents) {
  ScanSchedule schedule;
  EXPECT_EQ(schedule.Due(), std::nullopt);
  schedule.Begin(At(0));
  EXPECT_EQ(schedule.Due(), std::nullopt);
  schedule.Note(At(5000));
  EXPECT_EQ(schedule.Due(), At(5100));
  schedule.Note(At(5090));
  EXPECT_EQ(schedule.Due(), At(5100));
  EXPECT_TRUE(schedule.Begin(At(5100)));
  EXPECT_EQ(schedule.Due(), std::nullopt);
  schedule.Note(At(5101));
  EXPECT_EQ(schedule.Due(), At(5600));
}

TEST(ScanSchedule, LooksAgainWhenAskedTo) {
  ScanSchedule schedule;
  schedule.Note(At(0));
  schedule.Begin(At(0));
  schedule.Want(At(30000));
  EXPECT_EQ(schedule.Due(), At(30000));
  schedule.Note(At(10));
  EXPECT_EQ(schedule.Due(), At(500));
  schedule.Begin(At(500));
  schedule.Want(At(520));
  EXPECT_EQ(schedule.Due(), At(520));
  EXPECT_FALSE(schedule.Begin(At(520)));
  EXPECT_EQ(schedule.Due(), std::nullopt);
}

TEST(ScanSchedule, AnEventSoonAfterALookThatFoundNothingNeedNotWait) {
  ScanSchedule schedule;
  schedule.Want(At(5000));
  EXPECT_FALSE(schedule.Begin(At(5000)));
  schedule.Want(At(5500));
  schedule.Note(At(5001));
  EXPECT_EQ(schedule.Due(), At(5101));
}

// Whatever the events' times: scans keep their distance, each event is followed by a scan soon, and
// there are few of them.
TEST(ScanSchedule, TurnsManyEventsIntoFewScans) {
  std::mt19937 random(3);
  for (int round = 0; round < 20; ++round) {
    std::vector<int> events;
    for (int i = 0; i < 10000; ++i) events.push_back(1000 + static_cast<int>(random() % 3000));
    std::sort(events.begin(), events.end());
    ScanSchedule schedule;
    schedule.Note(At(0));
    schedule.Begin(At(0));
    std::vector<int> scans{0};
    std::size_t next = 0;
    for (int now = 1; now < 6000; ++now) {
      bool noted = false;
      while (next < events.size() && events[next] == now) ++next, noted = true;
      if (noted) schedule.Note(At(now));
      if (schedule.Due() && *schedule.Due() <= At(now)) {
        EXPECT_GE(now - scans.back(), 500);
        scans.push_back(now);
        schedule.Begin(At(now));
      }
    }
    EXPECT_LE(scans.size(), 8U);
    EXPECT_GT(scans.back(), events.back() - 1);
    EXPECT_LE(scans.back(), events.back() + 600);
  }
}

}  // namespace
}  // namespace fairlead::deviceplugin
