#include "linkprobe/verbs/device_clock.h"

#include <gtest/gtest.h>

namespace fairlead::linkprobe {
namespace {

constexpr MonotonicTime kAnchor{Seconds(1000)};

TEST(DeviceClockTest, NeedsFrequencyAndWidth) {
  EXPECT_FALSE(DeviceClock::Create(0, 0xffffffff));
  EXPECT_FALSE(DeviceClock::Create(1'000'000, 0));
}

struct Case {
  const char* what;
  std::uint64_t kilohertz;
  std::uint64_t mask;
  std::uint64_t anchor;
  std::uint64_t cycles;
  Nanoseconds expected;  // from the anchor
};

TEST(DeviceClockTest, ConvertsAroundTheAnchor) {
  constexpr std::uint64_t kWide = (std::uint64_t{1} << 48) - 1;
  const Case cases[] = {
      {"at the anchor", 1'000'000, kWide, 500, 500, Nanoseconds(0)},
      {"after it", 1'000'000, kWide, 500, 1500, Nanoseconds(1000)},
      {"before it", 1'000'000, kWide, 500, 400, Nanoseconds(-100)},
      {"156.25 MHz", 156'250, kWide, 0, 156'250'000, Seconds(1)},
      {"the counter wrapped", 1'000'000, 0xffffffff, 0xffffff00, 0x100, Nanoseconds(512)},
      {"before a wrap", 1'000'000, 0xffffffff, 0x100, 0xffffff00, Nanoseconds(-512)},
      {"an hour at 1 GHz", 1'000'000, kWide, 0, 3'600'000'000'000, Seconds(3600)},
  };
  for (const Case& c : cases) {
    auto clock = DeviceClock::Create(c.kilohertz, c.mask);
    ASSERT_TRUE(clock) << c.what;
    clock->Anchor(c.anchor, kAnchor);
    EXPECT_EQ((clock->ToSteady(c.cycles) - kAnchor).count(), c.expected.count()) << c.what;
  }
}

TEST(DeviceClockTest, AnAnchorAgesAfterASecond) {
  auto clock = DeviceClock::Create(1'000'000, 0xffffffff);
  ASSERT_TRUE(clock);
  EXPECT_TRUE(clock->AnchorIsOld(kAnchor));
  clock->Anchor(0, kAnchor);
  EXPECT_FALSE(clock->AnchorIsOld(kAnchor + Seconds(1)));
  EXPECT_TRUE(clock->AnchorIsOld(kAnchor + Milliseconds(1001)));
}

}  // namespace
}  // namespace fairlead::linkprobe
