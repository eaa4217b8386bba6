#include "linkprobe/detect/window_history.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>

namespace fairlead::linkprobe {
namespace {

TEST(WindowHistory, CountsEachStridethStepOfTheLastWindows) {
  WindowHistory history(3, 4);
  for (int i = 0; i < 12; ++i) history.Push(i % 4 == 3 ? kHighWindow : kLowWindow);
  EXPECT_EQ(history.Count(kHighWindow), 3u);
  EXPECT_EQ(history.Count(kLowWindow), 0u);
  history.Push(0);
  EXPECT_EQ(history.Count(kHighWindow), 0u);
  EXPECT_EQ(history.Count(kLowWindow), 2u);
}

TEST(WindowHistory, CountsWindowsWithAllMarks) {
  WindowHistory history(2, 1);
  history.Push(kInsideWindow);
  history.Push(kInsideWindow | kSteadyWindow);
  EXPECT_EQ(history.Count(kInsideWindow), 2u);
  EXPECT_EQ(history.Count(kInsideWindow | kSteadyWindow), 1u);
  history.Clear();
  EXPECT_EQ(history.Count(kInsideWindow), 0u);
}

TEST(WindowHistory, AgreesWithAList) {
  std::mt19937 random(1);
  for (const std::uint32_t stride : {1u, 4u}) {
    WindowHistory history(10, stride);
    std::deque<std::uint8_t> newest_first(10 * stride);
    for (int i = 0; i < 2000; ++i) {
      newest_first.push_front(static_cast<std::uint8_t>(random() % 2));
      newest_first.pop_back();
      history.Push(newest_first.front());
      std::uint32_t expected = 0;
      for (std::size_t at = 0; at < newest_first.size(); at += stride) expected += newest_first[at];
      ASSERT_EQ(history.Count(1), expected);
    }
  }
}

TEST(WindowHistory, ResizingKeepsTheNewest) {
  WindowHistory history(4, 1);
  for (const int mark : {1, 0, 1, 1}) history.Push(static_cast<std::uint8_t>(mark));
  history.Resize(2);
  EXPECT_EQ(history.Count(1), 2u);
  history.Resize(8);
  EXPECT_EQ(history.Count(1), 2u);
  history.Push(1);
  EXPECT_EQ(history.Count(1), 3u);
}

}  // namespace
}  // namespace fairlead::linkprobe
