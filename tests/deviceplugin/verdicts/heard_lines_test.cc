#include "deviceplugin/verdicts/heard_lines.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace fairlead::deviceplugin {
namespace {

constexpr MonotonicTime kNow{Seconds(10'000)};

HeardLine Line(const std::string& peer, int milliseconds, MonotonicTime at = kNow) {
  return {.peer = peer, .rtt = Milliseconds(milliseconds), .at = at};
}

TEST(HeardLines, StayWhenAMessageDoesNotNameThem) {
  const HeardLines before{.site = "hk", .lines = {Line("sg", 36), Line("us", 150)}};
  const HeardLines after = Merge(before, {.site = "hk", .lines = {Line("sg", 90)}}, kNow);
  EXPECT_EQ(after, (HeardLines{.site = "hk", .lines = {Line("sg", 90), Line("us", 150)}}));
  EXPECT_EQ(Merge(after, {}, kNow), after) << "a probe that has just started takes nothing back";
}

TEST(HeardLines, OfAnotherSiteAreOthers) {
  const HeardLines before{.site = "hk", .lines = {Line("sg", 36), Line("us", 150)}};
  const HeardLines after = Merge(before, {.site = "tyo", .lines = {Line("sg", 70)}}, kNow);
  EXPECT_EQ(after, (HeardLines{.site = "tyo", .lines = {Line("sg", 70)}}));
}

TEST(HeardLines, AreForgottenWhenStale) {
  const HeardLines heard{.site = "hk",
                         .lines = {Line("sg", 36, kNow - kHeardLineLife),
                                   Line("us", 150, kNow - kHeardLineLife - Nanoseconds(1))}};
  EXPECT_EQ(FreshLines(heard, kNow).lines, std::vector{heard.lines[0]});
  EXPECT_EQ(Merge(heard, {.site = "hk", .lines = {}}, kNow).lines, std::vector{heard.lines[0]});
}

TEST(HeardLines, OfNamesThatChangeAllTheTimeAreNoMoreThanAMessageHas) {
  HeardLines heard;
  for (int round = 0; round < 3; ++round) {
    HeardLines message{.site = "hk", .lines = {}};
    for (int i = 0; i < 40; ++i) {
      message.lines.push_back(Line("site-" + std::to_string(round) + "-" + std::to_string(i), 36));
    }
    heard = Merge(heard, message, kNow);
    EXPECT_EQ(heard.lines.size(), round == 0 ? 40U : 64U);
    for (const HeardLine& line : message.lines) {
      EXPECT_NE(std::find(heard.lines.begin(), heard.lines.end(), line), heard.lines.end());
    }
  }
}

}  // namespace
}  // namespace fairlead::deviceplugin
