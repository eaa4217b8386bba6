#include "common/units/duration.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <string>

namespace fairlead {
namespace {

TEST(ParseDuration, ReadsEveryUnitExactly) {
  const struct {
    std::string_view text;
    std::int64_t nanoseconds;
  } kCases[] = {{"0s", 0},
                {"100ns", 100},
                {"30us", 30'000},
                {"250ms", 250'000'000},
                {"1.5s", 1'500'000'000},
                {"60s", 60'000'000'000},
                {"2m", 120'000'000'000},
                {"1h", 3'600'000'000'000},
                {"0.1s", 100'000'000},
                {"0.000000001s", 1},
                {"1.000000000000000000s", 1'000'000'000},
                {"0.5m", 30'000'000'000},
                {"007ms", 7'000'000},
                {"9223372036854775807ns", std::numeric_limits<std::int64_t>::max()}};
  for (const auto& c : kCases) {
    EXPECT_EQ(ParseDuration(c.text).value().count(), c.nanoseconds) << c.text;
  }
}

TEST(ParseDuration, RefusesEverythingElseAndNamesValueAndRemedy) {
  for (const std::string_view text : {"",
                                      " ",
                                      "5",
                                      "1.5",
                                      "ms",
                                      "-5ms",
                                      "+5ms",
                                      "5 ms",
                                      " 5ms",
                                      "5ms ",
                                      "5MS",
                                      "5sec",
                                      "1m30s",
                                      "nan",
                                      "nans",
                                      "infs",
                                      "1e3ms",
                                      "1.ms",
                                      ".5s",
                                      "1..5s",
                                      "1,5s",
                                      "0x10ms",
                                      "0.1ns",
                                      "1.5ns",
                                      "0.0000000001s",
                                      "9223372036854775808ns",
                                      "99999999999999999999s",
                                      "2562048h",
                                      "5ms5",
                                      "0.99999999999999999999s",
                                      "\xff",
                                      "5\xc2\xb5s"}) {
    const Result<Nanoseconds> result = ParseDuration(text);
    ASSERT_FALSE(result) << text;
    EXPECT_EQ(result.error().code, ErrorCode::kInvalidArgument);
    EXPECT_NE(result.error().message.find("250ms"), std::string::npos) << result.error().message;
    EXPECT_NE(result.error().message.find("duration \""), std::string::npos);
  }
  EXPECT_FALSE(ParseDuration(std::string_view("5\0ms", 4)));
}

TEST(FormatDuration, IsReadBackAsTheSameValue) {
  EXPECT_EQ(FormatDuration(Milliseconds(250)), "250ms");
  EXPECT_EQ(FormatDuration(Milliseconds(1500)), "1500ms");
  EXPECT_EQ(FormatDuration(Seconds(60)), "1m");
  EXPECT_EQ(FormatDuration(Nanoseconds(0)), "0s");
  EXPECT_EQ(FormatDuration(-Seconds(1)), "-1s");
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    const auto bits = static_cast<int>(random() % 63);
    const Nanoseconds value(static_cast<std::int64_t>(random() >> (63 - bits) >> 1));
    EXPECT_EQ(ParseDuration(FormatDuration(value)), value) << value.count();
  }
}

TEST(HumanDuration, ChoosesTheUnitAndFourDigits) {
  const struct {
    std::int64_t nanoseconds;
    std::string_view text;
  } kCases[] = {{0, "0 ns"},
                {850, "850 ns"},
                {999, "999 ns"},
                {1'000, "1 us"},
                {12'345, "12.35 us"},
                {999'949, "999.9 us"},
                {999'999, "1 ms"},
                {36'210'000, "36.21 ms"},
                {36'000'000, "36 ms"},
                {1'234'567, "1.235 ms"},
                {999'999'999, "1 s"},
                {1'500'000'000, "1.5 s"},
                {119'000'000'000, "119 s"},
                {600'000'000'000, "10 min"},
                {86'400'000'000'000, "24 h"},
                {-1'500'000'000, "-1.5 s"}};
  for (const auto& c : kCases) EXPECT_EQ(HumanDuration(Nanoseconds(c.nanoseconds)), c.text);
  EXPECT_EQ(HumanDuration(Nanoseconds::min()).front(), '-');
  EXPECT_FALSE(HumanDuration(Nanoseconds::max()).empty());
}

}  // namespace
}  // namespace fairlead
