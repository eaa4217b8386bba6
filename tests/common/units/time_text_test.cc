#include "common/units/time_text.h"

#include <gtest/gtest.h>

namespace fairlead {
namespace {

WallTime At(std::int64_t seconds, std::int64_t nanoseconds = 0) {
  return WallTime(Seconds(seconds) + Nanoseconds(nanoseconds));
}

TEST(ParseTime, ReadsWhatKubernetesAndPeopleWrite) {
  const struct {
    std::string_view text;
    WallTime time;
  } kCases[] = {{"1970-01-01T00:00:00Z", At(0)},
                {"2026-01-02T15:04:05Z", At(1'767'366'245)},
                {"2026-01-02T23:04:05+08:00", At(1'767'366'245)},
                {"2026-01-02T10:34:05-04:30", At(1'767'366'245)},
                {"2026-01-02T15:04:05.000123Z", At(1'767'366'245, 123'000)},
                {"2026-01-02T15:04:05.25+00:00", At(1'767'366'245, 250'000'000)},
                {"2026-01-02T15:04:05.1234567899Z", At(1'767'366'245, 123'456'789)},
                {"2028-02-29T00:00:00Z", At(1'835'395'200)}};
  for (const auto& c : kCases) {
    const auto time = ParseTime(c.text);
    ASSERT_TRUE(time) << c.text;
    EXPECT_EQ(*time, c.time) << c.text;
  }
}

TEST(ParseTime, RefusesWhatIsNoTimeAndSaysHowToWriteIt) {
  for (const std::string_view text :
       {"", "now", "2026-01-02", "2026-01-02 15:04:05Z", "2026-01-02T15:04:05",
        "2026-13-02T15:04:05Z", "2027-02-29T00:00:00Z", "2026-01-02T24:04:05Z",
        "2026-01-02T15:04:05.Z", "2026-01-02T15:04:05Zx", "2026-01-02T15:04:05+8:00",
        "-026-01-02T15:04:05Z", "1969-12-31T23:59:59Z", "9999-01-01T00:00:00Z", "1767366245"}) {
    const auto time = ParseTime(text);
    ASSERT_FALSE(time) << text;
    EXPECT_EQ(time.error().code, ErrorCode::kInvalidArgument);
    EXPECT_NE(time.error().message.find("2026-01-02T15:04:05Z"), std::string::npos);
  }
}

TEST(FormatTime, IsReadBackAsTheSecondThatItFallsIn) {
  EXPECT_EQ(FormatTime(At(1'767'366'245, 999'999'999)), "2026-01-02T15:04:05Z");
  EXPECT_EQ(FormatTime(At(0, 0)), "1970-01-01T00:00:00Z");
  for (const std::int64_t second : {1LL, 951'782'400LL, 1'835'395'199LL, 4'102'444'800LL}) {
    EXPECT_EQ(ParseTime(FormatTime(At(second))), At(second));
  }
}

}  // namespace
}  // namespace fairlead
