#include "linkprobe/detect/path_change.h"

#include <gtest/gtest.h>

namespace fairlead::linkprobe {
namespace {

constexpr MonotonicTime kStart{Seconds(1000)};

TEST(PathChange, TellsWhichHopsChangedForAWhile) {
  PathChange change;
  change.Note(3, 4, kStart);
  EXPECT_EQ(change.Within(Seconds(60), kStart), "");
  change.Note(std::nullopt, std::nullopt, kStart);
  change.Note(3, 4, kStart + Seconds(1));
  EXPECT_EQ(change.Within(Seconds(60), kStart), "");
  change.Note(5, 4, kStart + Seconds(2));
  EXPECT_EQ(change.Within(Seconds(60), kStart + Seconds(3)), "forward hops 3 -> 5");
  EXPECT_EQ(change.Within(Seconds(60), kStart + Seconds(63)), "");
  change.Note(6, 2, kStart + Seconds(70));
  EXPECT_EQ(change.Within(Seconds(60), kStart + Seconds(70)),
            "forward hops 5 -> 6, reverse hops 4 -> 2");
}

}  // namespace
}  // namespace fairlead::linkprobe
