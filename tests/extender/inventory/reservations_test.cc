#include "extender/inventory/reservations.h"

#include <gtest/gtest.h>

namespace fairlead::extender {
namespace {

MonotonicTime At(int seconds) { return MonotonicTime{} + Seconds(1000 + seconds); }

std::uint32_t TakenOf(const Reservations& taken, std::string_view node) {
  const auto all = taken.Taken("");
  const auto found = all.find(node);
  return found == all.end() ? 0 : found->second;
}

TEST(Reservations, ListsEachNodeOfWhichSomethingIsTaken) {
  Reservations taken;
  taken.Reserve("p1", "n1", 2, At(0));
  taken.Reserve("p2", "n1", 3, At(0));
  taken.Reserve("p3", "n2", 1, At(0));
  const std::map<std::string_view, std::uint32_t> all{{"n1", 5}, {"n2", 1}};
  const std::map<std::string_view, std::uint32_t> without{{"n1", 2}, {"n2", 1}};
  EXPECT_EQ(taken.Taken(""), all);
  EXPECT_EQ(taken.Taken("p2"), without);
}

TEST(Reservations, ANewerPlaceReplacesTheOneBefore) {
  Reservations taken;
  taken.Reserve("p1", "n1", 2, At(0));
  taken.Reserve("p1", "n2", 2, At(1));
  EXPECT_EQ(TakenOf(taken, "n1"), 0U);
  EXPECT_EQ(TakenOf(taken, "n2"), 2U);
}

TEST(Reservations, ExpireByTheirNewestTime) {
  Reservations taken;
  taken.Reserve("p1", "n1", 1, At(0));
  taken.Reserve("p2", "n1", 1, At(5));
  taken.Reserve("p1", "n1", 1, At(8));
  taken.Expire(Seconds(10), At(15));
  EXPECT_EQ(TakenOf(taken, "n1"), 1U) << "p2 is 10 s old, p1 only 7 s";
  taken.Expire(Seconds(10), At(18));
  EXPECT_TRUE(taken.empty());
}

TEST(Reservations, NamelessPodsAndThoseThatTakeNothingAreNotKept) {
  Reservations taken;
  taken.Reserve("", "n1", 1, At(0));
  taken.Reserve("p1", "n1", 0, At(0));
  EXPECT_TRUE(taken.empty());
  taken.Release("p1");
  taken.Release("nobody");
}

}  // namespace
}  // namespace fairlead::extender
