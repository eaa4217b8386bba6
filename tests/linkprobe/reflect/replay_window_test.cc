#include "linkprobe/reflect/replay_window.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace fairlead::linkprobe {
namespace {

using Seen = ReplayWindow::Seen;

TEST(ReplayWindow, TellsNewBehindDuplicateAndOld) {
  ReplayWindow window;
  EXPECT_EQ(window.Check(0), Seen::kTooOld);
  EXPECT_EQ(window.Check(1), Seen::kNew);
  EXPECT_EQ(window.Check(1), Seen::kDuplicate);
  EXPECT_EQ(window.Check(5), Seen::kNew);
  EXPECT_EQ(window.Check(3), Seen::kNewButBehind);
  EXPECT_EQ(window.Check(3), Seen::kDuplicate);
  EXPECT_EQ(window.NewestBits(), 0b10101u);
  EXPECT_EQ(window.Check(5 + ReplayWindow::kSpan), Seen::kNew);
  EXPECT_EQ(window.Check(5), Seen::kTooOld);
  EXPECT_EQ(window.Check(6), Seen::kNewButBehind);
}

TEST(ReplayWindow, JumpForgetsTheOldAndAbsurdJumpChangesNothing) {
  ReplayWindow window;
  window.Check(10);
  EXPECT_EQ(window.Check(10 + ReplayWindow::kFarthestJump + 1), Seen::kTooFarAhead);
  EXPECT_EQ(window.Check(~std::uint64_t{0}), Seen::kTooFarAhead);
  EXPECT_EQ(window.highest(), 10u);
  EXPECT_EQ(window.Check(11), Seen::kNew);
  EXPECT_EQ(window.Check(11 + ReplayWindow::kFarthestJump), Seen::kNew);
  EXPECT_EQ(window.NewestBits(), 1u);
}

TEST(ReplayWindow, JoinsARunningSequenceAndReachesTheEnd) {
  ReplayWindow window;
  EXPECT_EQ(window.Check(~std::uint64_t{0} - 1), Seen::kNew);
  EXPECT_EQ(window.Check(~std::uint64_t{0}), Seen::kNew);
  EXPECT_EQ(window.NewestBits(), 3u);
  EXPECT_EQ(window.Check(~std::uint64_t{0}), Seen::kDuplicate);
}

// Against a plain set, for walks of every stride.
TEST(ReplayWindow, AgreesWithASetOfSequences) {
  for (const std::uint64_t stride : {1u, 3u, 63u, 64u, 65u, 200u, 1023u, 1024u, 5000u}) {
    std::mt19937_64 random(stride);
    ReplayWindow window;
    std::set<std::uint64_t> seen;
    std::uint64_t highest = 0;
    for (int i = 0; i < 3000; ++i) {
      const std::uint64_t back = random() % 1500;
      const std::uint64_t sequence = random() % 2 == 0 || highest < back + 1
                                         ? highest + 1 + random() % stride
                                         : highest - back;
      Seen expected = Seen::kNew;
      if (sequence <= highest) {
        expected = highest - sequence >= ReplayWindow::kSpan ? Seen::kTooOld
                   : seen.contains(sequence)                 ? Seen::kDuplicate
                                                             : Seen::kNewButBehind;
      }
      ASSERT_EQ(window.Check(sequence), expected) << sequence << " of " << highest;
      if (expected != Seen::kTooOld) seen.insert(sequence);
      highest = std::max(highest, sequence);
      ASSERT_EQ(window.highest(), highest);
      for (std::uint64_t bit = 0; bit < 64 && bit < highest; ++bit) {
        ASSERT_EQ((window.NewestBits() >> bit & 1) != 0, seen.contains(highest - bit));
      }
    }
  }
}

}  // namespace
}  // namespace fairlead::linkprobe
