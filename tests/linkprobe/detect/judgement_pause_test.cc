#include "linkprobe/detect/judgement_pause.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace fairlead::linkprobe {
namespace {

constexpr MonotonicTime kStart{Seconds(1000)};

struct Told {
  int at_seconds;
  bool tested;
};
struct Span {
  double from_seconds;  // the first step that is held, and the first that is judged again
  double to_seconds;
};
struct Course {
  const char* name;
  std::vector<Told> told;
  std::vector<Span> held;
  Nanoseconds pdv_window = Seconds(3);
};

class Pauses : public ::testing::TestWithParam<Course> {};

// Steps four times a second for ten minutes.
TEST_P(Pauses, AreWhereTheyShouldBe) {
  DetectorSettings settings;
  settings.pdv_window = GetParam().pdv_window;
  JudgementPause pause;
  std::vector<Span> held;
  bool before = false;
  for (int quarter = 0; quarter <= 4 * 600; ++quarter) {
    const MonotonicTime now = kStart + Milliseconds(250) * quarter;
    for (const Told& told : GetParam().told) {
      if (4 * told.at_seconds == quarter) pause.Told(told.tested, now);
    }
    const bool holds = pause.Holds(settings, now);
    if (holds && !before) held.push_back({quarter / 4.0, 0});
    if (!holds && before) {
      held.back().to_seconds = quarter / 4.0;
      EXPECT_EQ(pause.judged_from(), now);
    }
    before = holds;
  }
  EXPECT_FALSE(before);
  ASSERT_EQ(held.size(), GetParam().held.size());
  for (std::size_t i = 0; i < held.size(); ++i) {
    EXPECT_EQ(held[i].from_seconds, GetParam().held[i].from_seconds) << i;
    EXPECT_EQ(held[i].to_seconds, GetParam().held[i].to_seconds) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Each, Pauses,
    ::testing::Values(
        Course{"none", {}, {}}, Course{"never_tested", {{10, false}}, {}},
        Course{"until_the_windows_have_left_it_behind", {{10, true}, {40, false}}, {{10, 43}}},
        Course{
            "told_again_and_again", {{10, true}, {20, true}, {40, false}, {41, false}}, {{10, 43}}},
        Course{"a_longer_window", {{10, true}, {40, false}}, {{10, 60}}, Seconds(20)},
        Course{"a_window_without_end", {{10, true}, {40, false}}, {{10, 190}}, Seconds(3600)},
        Course{"no_longer_than_the_bound", {{10, true}}, {{10, 190}}},
        Course{"told_of_late_again",
               {{10, true}, {300, false}, {400, true}, {410, false}},
               {{10, 190}, {400, 413}}},
        Course{"goes_on_where_the_next_begins_at_once",
               {{10, true}, {40, false}, {42, true}, {60, false}},
               {{10, 63}}},
        Course{"judged_for_a_minute_between",
               {{10, true}, {40, false}, {50, true}, {150, false}},
               {{10, 43}, {103, 153}}},
        Course{"over_before_the_minute_is",
               {{10, true}, {40, false}, {50, true}, {90, false}},
               {{10, 43}}},
        Course{"a_flicker_after_the_bound",
               {{10, true}, {195, false}, {196, true}, {300, false}},
               {{10, 190}, {250, 303}}}),
    [](const auto& each) { return std::string(each.param.name); });

TEST(JudgementPause, NoLossIsLeftOutBeforeTheFirst) {
  EXPECT_EQ(JudgementPause().judged_from(), MonotonicTime::min());
}

TEST(JudgementPause, EndedItBeginsOnlyWithAnotherTest) {
  const DetectorSettings settings;
  JudgementPause pause;
  pause.End(kStart);
  EXPECT_EQ(pause.judged_from(), MonotonicTime::min()) << "nothing was held";
  pause.Told(true, kStart);
  EXPECT_TRUE(pause.Holds(settings, kStart));
  pause.End(kStart + Seconds(20));
  EXPECT_EQ(pause.judged_from(), kStart + Seconds(20));
  EXPECT_FALSE(pause.Holds(settings, kStart + Seconds(100)));
  pause.Told(false, kStart + Seconds(100));
  pause.Told(true, kStart + Seconds(101));
  EXPECT_TRUE(pause.Holds(settings, kStart + Seconds(101)));
}

}  // namespace
}  // namespace fairlead::linkprobe
