#include "extender/cluster_api/event_ledger.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace fairlead::extender {
namespace {

constexpr MonotonicTime kStart{Seconds(1000)};
constexpr WallTime kWall{Seconds(5000)};

ClusterEvent Event(const std::string& pod, const std::string& note) {
  ClusterEvent event;
  event.regarding.namespace_name = "ml";
  event.regarding.name = pod;
  event.reason = "GangPlanned";
  event.note = note;
  return event;
}

TEST(EventLedger, SaysTheSameOnceAndCounts) {
  EventLedger ledger("s");
  const auto first = ledger.Tell(Event("a", "x"), kStart, kWall);
  ASSERT_TRUE(first);
  EXPECT_TRUE(first->first);
  EXPECT_EQ(first->count, 1U);
  EXPECT_EQ(first->name, "a.s.1");
  for (int i = 1; i < 10; ++i) {
    EXPECT_FALSE(ledger.Tell(Event("a", "x"), kStart + Seconds(i), kWall + Seconds(i)));
  }
  EXPECT_TRUE(ledger.Due(kStart + Seconds(59)).empty());
  const auto due = ledger.Due(kStart + Seconds(60));
  ASSERT_EQ(due.size(), 1U);
  EXPECT_FALSE(due[0].first);
  EXPECT_EQ(due[0].name, first->name);
  EXPECT_EQ(due[0].count, 10U);
  EXPECT_EQ(due[0].began, kWall);
  EXPECT_EQ(due[0].last, kWall + Seconds(9));
  EXPECT_TRUE(ledger.Due(kStart + Seconds(300)).empty());
  EXPECT_EQ(ledger.dropped(), 0U);
}

TEST(EventLedger, AnEventWithANameKeepsIt) {
  EventLedger ledger("s");
  ClusterEvent event = Event("a", "x");
  event.name = "a.move-1-done";
  EXPECT_EQ(ledger.Tell(event, kStart, kWall)->name, "a.move-1-done");
}

TEST(EventLedger, BeginsAnewAfterALongSilence) {
  EventLedger ledger("s");
  ledger.Tell(Event("a", "x"), kStart, kWall);
  const auto again = ledger.Tell(Event("a", "x"), kStart + Seconds(600), kWall);
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->first);
  EXPECT_EQ(again->count, 1U);
  EXPECT_EQ(again->name, "a.s.2");
}

TEST(EventLedger, ALostEventIsCreatedAnew) {
  EventLedger ledger("s");
  const auto first = ledger.Tell(Event("a", "x"), kStart, kWall);
  ledger.Lost(first->name);
  const auto next = ledger.Tell(Event("a", "x"), kStart + Seconds(61), kWall);
  ASSERT_TRUE(next);
  EXPECT_TRUE(next->first);
  EXPECT_EQ(next->count, 2U);
}

TEST(EventLedger, ManyDifferentThingsAboutOneObjectAreDropped) {
  EventLedger ledger("s", {.burst = 3, .refill = Seconds(30)});
  int written = 0;
  for (int i = 0; i < 100; ++i) {
    if (ledger.Tell(Event("a", std::to_string(i)), kStart, kWall)) ++written;
  }
  EXPECT_EQ(written, 3);
  EXPECT_EQ(ledger.dropped(), 97U);
  EXPECT_TRUE(ledger.Tell(Event("b", "x"), kStart, kWall));
  EXPECT_TRUE(ledger.Tell(Event("a", "y"), kStart + Seconds(30), kWall));
  EXPECT_FALSE(ledger.Tell(Event("a", "z"), kStart + Seconds(30), kWall));
}

TEST(EventLedger, IsBoundedAndRecovers) {
  EventLedger ledger("s", {.most_series = 10});
  std::set<std::string> names;
  for (int i = 0; i < 100; ++i) {
    const auto write = ledger.Tell(Event("p" + std::to_string(i), "x"), kStart, kWall);
    if (write) names.insert(write->name);
  }
  EXPECT_EQ(names.size(), 10U);
  EXPECT_EQ(ledger.series(), 10U);
  EXPECT_EQ(ledger.dropped(), 90U);
  EXPECT_TRUE(ledger.Tell(Event("new", "x"), kStart + Seconds(700), kWall));
}

TEST(EventLedger, CutsLongNotesBetweenCharacters) {
  EventLedger ledger("s");
  const auto write = ledger.Tell(Event("a", std::string(1023, 'x') + "\xC3\xA4"), kStart, kWall);
  EXPECT_EQ(write->event.note, std::string(1023, 'x'));
}

}  // namespace
}  // namespace fairlead::extender
