#include "linkprobe/detect/evidence.h"

#include <gtest/gtest.h>

namespace fairlead::linkprobe {
namespace {

TEST(Evidence, ShowsShortDelaysWithTheirDigits) {
  const struct {
    Nanoseconds delay;
    std::string_view text;
  } kCases[] = {{Nanoseconds(0), "0 ns"},
                {Nanoseconds(850), "850 ns"},
                {Nanoseconds(12'345), "12.35 us"},
                {Nanoseconds(-40'000), "-40 us"},
                {Nanoseconds(999'999), "1 ms"},
                {Milliseconds(1), "1.0 ms"},
                {Nanoseconds(36'123'000), "36.1 ms"}};
  for (const auto& c : kCases) EXPECT_EQ(DelayText(c.delay), c.text);
  EXPECT_EQ(AgainstBaseline(Nanoseconds(52'000), Nanoseconds(41'000), Nanoseconds(2'500)),
            "p50 52 us against a baseline of 41 us (band 2.5 us)");
}

TEST(Evidence, NeverCallsALittleLossNone) {
  const LossInterval loss{
      .lost = 1, .sent = 100'000, .ratio = 1e-5, .lower = 2.5e-7, .upper = 0.05};
  EXPECT_EQ(LossText(loss, "forward"),
            "1 of 100000 lost forward (95 % interval 0.000025 % .. 5.0 %)");
}

}  // namespace
}  // namespace fairlead::linkprobe
