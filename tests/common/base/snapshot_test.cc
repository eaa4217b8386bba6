#include "common/base/snapshot.h"

#include <gtest/gtest.h>

#include <thread>

namespace fairlead {
namespace {

TEST(Snapshot, IsNeverNull) { EXPECT_EQ(*Snapshot<int>().Get(), 0); }

TEST(Snapshot, GivesTheNewestValue) {
  Snapshot<int> snapshot(1);
  snapshot.Publish(2);
  EXPECT_EQ(*snapshot.Get(), 2);
}

TEST(Snapshot, AReaderKeepsWhatItTook) {
  Snapshot<int> snapshot(1);
  const auto taken = snapshot.Get();
  snapshot.Publish(2);
  EXPECT_EQ(*taken, 1);
}

TEST(Snapshot, ReadersSeeWholeValuesInOrder) {
  struct Pair {
    int a = 0;
    int b = 0;
  };
  constexpr int kLast = 2000;
  Snapshot<Pair> snapshot;
  std::jthread writer([&] {
    for (int i = 1; i <= kLast; ++i) snapshot.Publish({i, -i});
  });
  int newest = 0;
  while (newest < kLast) {
    const auto pair = snapshot.Get();
    ASSERT_EQ(pair->a, -pair->b);
    ASSERT_GE(pair->a, newest);
    newest = pair->a;
  }
}

}  // namespace
}  // namespace fairlead
