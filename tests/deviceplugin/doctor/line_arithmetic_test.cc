#include "deviceplugin/doctor/line_arithmetic.h"

#include <gtest/gtest.h>

#include "deviceplugin/doctor/nccl_window.h"
#include "tests/deviceplugin/doctor/facts.h"

namespace fairlead::deviceplugin {
namespace {

TEST(LineArithmeticTest, BandwidthTimesDelay) {
  EXPECT_DOUBLE_EQ(BytesInFlight(100e9, Milliseconds(23)), 287.5e6);
  EXPECT_EQ(BytesText(287.5e6), "288 MB");
  EXPECT_EQ(BytesText(999.4), "999 B");
  EXPECT_EQ(BytesText(999.6), "1.00 kB");
  EXPECT_EQ(BytesText(1.875e9), "1.88 GB");
}

// Reference values for 100 Gbps and packets of 4096 bytes.
TEST(LineArithmeticTest, GoBackN) {
  const double at_23_ms = 287.5e6 / 4096;
  EXPECT_NEAR(GoBackNShare(1e-8, at_23_ms), 0.999, 0.0005);
  EXPECT_NEAR(GoBackNShare(1e-6, at_23_ms), 0.934, 0.0005);
  EXPECT_NEAR(GoBackNShare(1e-5, at_23_ms), 0.588, 0.0005);
  EXPECT_NEAR(GoBackNShare(1e-4, at_23_ms), 0.125, 0.0005);
  EXPECT_NEAR(GoBackNShare(1e-5, 1.875e9 / 4096), 0.179, 0.0005);
  EXPECT_EQ(GoBackNShare(0, at_23_ms), 1);
}

TEST(LineArithmeticTest, TheHeaviestLineIsThatWithMostUnderWay) {
  NodeFacts facts = WellNode();
  LineFacts unknown;
  unknown.peer = "fra";
  facts.lines = SiteLines{.site = "hk",
                          .lines = {LineTo("sg", Milliseconds(30), 100'000'000'000),
                                    LineTo("us", Milliseconds(150), 10'000'000'000), unknown}};
  const auto heaviest = HeaviestLine(facts, 400'000'000'000);
  ASSERT_TRUE(heaviest);
  EXPECT_EQ(heaviest->peer, "sg");
  EXPECT_EQ(LineText(*heaviest), "the line to sg (30 ms, 100 Gbps)");
  EXPECT_EQ(HeaviestLine(facts, 5'000'000'000)->peer, "us");  // the sender is the narrower part
  facts.lines = SiteLines{.site = "hk", .lines = {unknown}};
  EXPECT_FALSE(HeaviestLine(facts, 400'000'000'000));
}

TEST(NcclWindowTest, HoldsWhatIsUnderWay) {
  for (const double bytes : {1e3, 8e6, 9e6, 45e6, 67e6, 68e6, 4.5e8, 1e9, 1.9e9}) {
    const NcclWindow window = WindowFor(bytes);
    EXPECT_GE(window.bytes(), bytes);
    EXPECT_GE(window.channels, kFewChannels);
    EXPECT_LE(window.channels, 32U);
  }
  EXPECT_EQ(WindowFor(8e6).buffer_bytes, kNcclBuffer);
  EXPECT_EQ(WindowFor(67e6).buffer_bytes, kNcclBuffer);  // 16 channels
  EXPECT_EQ(WindowFor(68e6).buffer_bytes, 2 * kNcclBuffer);
  EXPECT_LT(WindowFor(1e11).bytes(), 1e11);  // bound, and bounded
}

}  // namespace
}  // namespace fairlead::deviceplugin
