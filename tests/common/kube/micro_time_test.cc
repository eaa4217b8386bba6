#include "common/kube/micro_time.h"

#include <gtest/gtest.h>

namespace fairlead::kube {
namespace {

TEST(MicroTime, IsUtcWithSixDigitsRoundedDown) {
  EXPECT_EQ(MicroTime(WallTime{}), "1970-01-01T00:00:00.000000Z");
  EXPECT_EQ(MicroTime(WallTime{Seconds(1'767'366'245) + Nanoseconds(123'999)}),
            "2026-01-02T15:04:05.000123Z");
  EXPECT_EQ(MicroTime(WallTime{Nanoseconds(-1)}), "1969-12-31T23:59:59.999999Z");
}

}  // namespace
}  // namespace fairlead::kube
