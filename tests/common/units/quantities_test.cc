#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <string>

#include "common/units/number.h"
#include "common/units/rate.h"

namespace fairlead {
namespace {

TEST(ParseRate, ReadsBitsPerSecond) {
  EXPECT_EQ(ParseRate("10Gbps"), 10'000'000'000U);
  EXPECT_EQ(ParseRate("100Mbps"), 100'000'000U);
  EXPECT_EQ(ParseRate("1.5Gbps"), 1'500'000'000U);
  EXPECT_EQ(ParseRate("64kbps"), 64'000U);
  EXPECT_EQ(ParseRate("9600bps"), 9'600U);
  EXPECT_EQ(ParseRate("1.6Tbps"), 1'600'000'000'000U);
}

TEST(ParseRate, RefusesEverythingElse) {
  for (const std::string_view text :
       {"", "10", "10G", "10gbps", "10GBps", "10Gbit", "-1Gbps", "1.0000000001Gbps", "nanGbps",
        "10 Gbps", "10Gbps!", "10000000000Tbps"}) {
    ASSERT_FALSE(ParseRate(text)) << text;
    EXPECT_NE(ParseRate(text).error().message.find("10Gbps"), std::string::npos);
  }
}

TEST(ParseBytes, TellsPowersOfTenFromPowersOfTwo) {
  EXPECT_EQ(ParseBytes("8MiB"), 8'388'608U);
  EXPECT_EQ(ParseBytes("1GB"), 1'000'000'000U);
  EXPECT_EQ(ParseBytes("0.5KiB"), 512U);
  EXPECT_EQ(ParseBytes("512B"), 512U);
  for (const std::string_view text : {"8", "8M", "8Mi", "8mib", "0.3KiB", "-1B", "8388608TiB"}) {
    EXPECT_FALSE(ParseBytes(text)) << text;
  }
}

TEST(FormatQuantities, AreReadBackAsTheSameValue) {
  EXPECT_EQ(FormatRate(10'000'000'000), "10Gbps");
  EXPECT_EQ(FormatRate(0), "0bps");
  EXPECT_EQ(FormatBytes(8'388'608), "8MiB");
  EXPECT_EQ(FormatBytes(1'000'000'000), "1GB");
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    const auto bits = static_cast<int>(random() % 63);
    const std::uint64_t value = random() >> (63 - bits) >> 1;
    EXPECT_EQ(ParseRate(FormatRate(value)), value);
    EXPECT_EQ(ParseBytes(FormatBytes(value)), value);
  }
}

TEST(ParseNumber, TakesFiniteDecimalsOnly) {
  EXPECT_EQ(ParseNumber("10"), 10);
  EXPECT_EQ(ParseNumber("-0.5"), -0.5);
  EXPECT_EQ(ParseNumber("1e-3"), 1e-3);
  for (const std::string_view text :
       {"", "nan", "inf", "-inf", "1e999", "1,5", "0x10", "1 ", "+1", "1.5.5", "ten"}) {
    EXPECT_FALSE(ParseNumber(text)) << text;
  }
}

TEST(ParseCount, TakesWholeNumbersInRangeOnly) {
  EXPECT_EQ(ParseCount("3", 1, 10), 3U);
  EXPECT_EQ(ParseCount("18446744073709551615", 0, std::numeric_limits<std::uint64_t>::max()),
            std::numeric_limits<std::uint64_t>::max());
  for (const std::string_view text :
       {"", "0", "11", "-1", "3.0", "3e0", " 3", "3 ", "0x3", "18446744073709551616"}) {
    EXPECT_FALSE(ParseCount(text, 1, 10)) << text;
  }
}

TEST(HasLeadingZero, TellsWhatLooksOctal) {
  for (const std::string_view text : {"010", "00", "-007", "+01", "08s", "03.5", "01%"}) {
    EXPECT_TRUE(HasLeadingZero(text)) << text;
  }
  for (const std::string_view text : {"", "0", "-0", "0.5", "0s", "0x10", "10", "100", "a01"}) {
    EXPECT_FALSE(HasLeadingZero(text)) << text;
  }
}

TEST(ParseRatio, TakesPercentAndFractions) {
  EXPECT_DOUBLE_EQ(ParseRatio("3%").value(), 0.03);
  EXPECT_DOUBLE_EQ(ParseRatio("0.03").value(), 0.03);
  EXPECT_DOUBLE_EQ(ParseRatio("1e-3").value(), 0.001);
  EXPECT_EQ(ParseRatio("0"), 0);
  EXPECT_EQ(ParseRatio("100%"), 1);
  for (const std::string_view text : {"", "%", "3", "-1%", "101%", "nan%", "inf", "3 %", "3%%"}) {
    EXPECT_FALSE(ParseRatio(text)) << text;
  }
}

}  // namespace
}  // namespace fairlead
