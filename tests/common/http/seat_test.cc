#include "common/http/seat.h"

#include <gtest/gtest.h>

namespace fairlead {
namespace {

using Kind = Seat::Claim::Kind;

constexpr Nanoseconds kPatience = Milliseconds(200);
const MonotonicTime kStart = MonotonicTime{} + Seconds(1000);

TEST(Seat, IsClaimedOnlyFromAClientThatIsWaitedForLongEnough) {
  Seat seat(kStart);
  const MonotonicTime late = kStart + Seconds(10);
  EXPECT_FALSE(seat.ClaimOn(late, kPatience)) << "its thread works";
  seat.StartWaiting(kStart);
  EXPECT_FALSE(seat.ClaimOn(kStart + Milliseconds(199), kPatience));
  EXPECT_EQ(seat.ClaimOn(kStart + kPatience, kPatience), (Seat::Claim{Kind::kStalled, kStart}));
  seat.FinishWaiting();
  EXPECT_FALSE(seat.ClaimOn(late, kPatience)) << "its thread works again";
  seat.StartWaiting(late);
  EXPECT_EQ(seat.ClaimOn(late, kPatience), (Seat::Claim{Kind::kSlow, kStart}));
  seat.FinishWaiting();
  seat.FinishRequest(late);
  seat.StartWaiting(late);
  EXPECT_FALSE(seat.ClaimOn(late, kPatience));
  EXPECT_EQ(seat.ClaimOn(late + kPatience, kPatience), (Seat::Claim{Kind::kIdle, late}));
  seat.FinishWaiting();
  seat.StartRequest(late + Seconds(1));
  seat.StartWaiting(late + Seconds(1));
  EXPECT_EQ(seat.ClaimOn(late + Seconds(2), kPatience),
            (Seat::Claim{Kind::kStalled, late + Seconds(1)}));
}

TEST(Seat, StalledGoBeforeIdleBeforeSlowAndOldBeforeNew) {
  const Seat::Claim in_order[] = {{Kind::kStalled, kStart},
                                  {Kind::kStalled, kStart + Seconds(1)},
                                  {Kind::kIdle, kStart},
                                  {Kind::kIdle, kStart + Seconds(1)},
                                  {Kind::kSlow, kStart}};
  for (std::size_t i = 0; i + 1 < std::size(in_order); ++i) {
    EXPECT_LT(in_order[i], in_order[i + 1]) << i;
  }
}

}  // namespace
}  // namespace fairlead
