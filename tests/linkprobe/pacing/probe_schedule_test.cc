#include "linkprobe/pacing/probe_schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

namespace fairlead::linkprobe {
namespace {

constexpr MonotonicTime kStart{Seconds(1000)};
constexpr Nanoseconds kInterval = Milliseconds(100);

// Follows NextDue exactly until `end`; the send times of each stream.
std::map<std::uint64_t, std::vector<MonotonicTime>> Follow(ProbeSchedule& schedule,
                                                           MonotonicTime end) {
  std::map<std::uint64_t, std::vector<MonotonicTime>> sent;
  while (schedule.NextDue() && *schedule.NextDue() < end) {
    const MonotonicTime now = *schedule.NextDue();
    while (const auto stream = schedule.PopDue(now)) sent[*stream].push_back(now);
  }
  return sent;
}

TEST(ProbeSchedule, KeepsTheRateWithJitteredGaps) {
  ProbeSchedule schedule(1);
  schedule.Set(1, kInterval, kStart);
  const auto sent = Follow(schedule, kStart + Seconds(600)).at(1);
  EXPECT_NEAR(static_cast<double>(sent.size()), 6000, 120);
  Nanoseconds shortest = Seconds(1);
  Nanoseconds longest{};
  for (std::size_t i = 1; i < sent.size(); ++i) {
    shortest = std::min(shortest, sent[i] - sent[i - 1]);
    longest = std::max(longest, sent[i] - sent[i - 1]);
  }
  EXPECT_GE(shortest, kInterval / 2);
  EXPECT_LT(shortest, kInterval * 52 / 100);
  EXPECT_LE(longest, kInterval * 3 / 2);
  EXPECT_GT(longest, kInterval * 148 / 100);
}

TEST(ProbeSchedule, IsTheSameForTheSameSeed) {
  ProbeSchedule a(7);
  ProbeSchedule b(7);
  ProbeSchedule c(8);
  for (ProbeSchedule* s : {&a, &b, &c}) s->Set(1, kInterval, kStart);
  const auto first = Follow(a, kStart + Seconds(10));
  EXPECT_EQ(first, Follow(b, kStart + Seconds(10)));
  EXPECT_NE(first, Follow(c, kStart + Seconds(10)));
}

TEST(ProbeSchedule, SpreadsStreamsOverTheInterval) {
  ProbeSchedule schedule(3);
  for (std::uint64_t stream = 0; stream < 40; ++stream) schedule.Set(stream, kInterval, kStart);
  std::map<std::int64_t, int> per_slot;
  for (const auto& [stream, times] : Follow(schedule, kStart + kInterval)) {
    ++per_slot[(times.front() - kStart) / (kInterval / 10)];
  }
  for (const auto& [slot, count] : per_slot) EXPECT_LE(count, 12) << slot;
  EXPECT_GE(per_slot.size(), 8u);
}

TEST(ProbeSchedule, SkipsWhatAStallMissed) {
  ProbeSchedule schedule(4);
  for (std::uint64_t stream = 0; stream < 20; ++stream) schedule.Set(stream, kInterval, kStart);
  Follow(schedule, kStart + Seconds(1));
  const MonotonicTime awake = kStart + Seconds(3600);
  int at_once = 0;
  while (schedule.PopDue(awake)) ++at_once;
  EXPECT_EQ(at_once, 0);
  std::size_t sent = 0;
  for (const auto& [stream, times] : Follow(schedule, awake + kInterval)) sent += times.size();
  EXPECT_GE(sent, 15u);
  EXPECT_LE(sent, 40u);
}

TEST(ProbeSchedule, SmallDelayDoesNotLowerTheRateMuch) {
  ProbeSchedule schedule(5);
  schedule.Set(1, kInterval, kStart);
  int sent = 0;
  // A loop that only looks every 10 ms.
  for (MonotonicTime now = kStart; now < kStart + Seconds(100); now += Milliseconds(10)) {
    while (schedule.PopDue(now)) ++sent;
  }
  EXPECT_NEAR(sent, 1000, 40);
}

TEST(ProbeSchedule, SettingTheSameAgainChangesNothing) {
  ProbeSchedule schedule(6);
  schedule.Set(1, kInterval, kStart);
  const auto due = schedule.NextDue();
  schedule.Set(1, kInterval, kStart + Milliseconds(1));
  EXPECT_EQ(schedule.NextDue(), due);
  EXPECT_EQ(schedule.size(), 1u);
  schedule.Set(1, Seconds(10), kStart);
  EXPECT_EQ(schedule.size(), 1u);
  const auto slow = Follow(schedule, kStart + Seconds(1000));
  EXPECT_NEAR(static_cast<double>(slow.at(1).size()), 100, 10);
}

TEST(ProbeSchedule, ForgetsRemovedStreamsAndBoundsTheInterval) {
  ProbeSchedule schedule(7);
  EXPECT_FALSE(schedule.NextDue());
  EXPECT_FALSE(schedule.PopDue(kStart));
  schedule.Set(1, Nanoseconds(0), kStart);
  schedule.Set(2, Nanoseconds(-5), kStart);
  EXPECT_LT(Follow(schedule, kStart + Seconds(1)).at(1).size(), 2000u);
  schedule.Remove(1);
  schedule.Remove(1);
  schedule.Remove(99);
  EXPECT_EQ(Follow(schedule, kStart + Seconds(2)).count(1), 0u);
  schedule.Remove(2);
  EXPECT_FALSE(schedule.NextDue());
}

}  // namespace
}  // namespace fairlead::linkprobe
