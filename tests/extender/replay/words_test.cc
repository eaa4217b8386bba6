#include "extender/replay/words.h"

#include <gtest/gtest.h>

namespace fairlead::extender {
namespace {

TEST(ReplayWords, SpansHaveTheUnitThatSuitsThem) {
  EXPECT_EQ(SpanText(0), "0 s");
  EXPECT_EQ(SpanText(-0.2), "0 s");
  EXPECT_EQ(SpanText(119.4), "119 s");
  EXPECT_EQ(SpanText(-45), "-45 s");
  EXPECT_EQ(SpanText(120), "2 min");
  EXPECT_EQ(SpanText(-7100), "-118 min");
  EXPECT_EQ(SpanText(7200), "2.0 h");
  EXPECT_EQ(SpanText(604800), "168.0 h");
}

TEST(ReplayWords, LinesAreListed) {
  EXPECT_EQ(LinesText({}), "no line");
  EXPECT_EQ(LinesText({{"hk", "sg"}}), "hk-sg");
  EXPECT_EQ(LinesText({{"hk", "sg"}, {"hk", "tyo"}, {"sg", "sg"}}),
            "hk-sg, hk-tyo and the inside of sg");
}

}  // namespace
}  // namespace fairlead::extender
