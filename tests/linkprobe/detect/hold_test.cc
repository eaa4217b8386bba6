#include "linkprobe/detect/hold.h"

#include <gtest/gtest.h>

namespace fairlead::linkprobe {
namespace {

constexpr MonotonicTime kStart{Seconds(1000)};
const DetectorSettings kSettings;  // recovery 60 s, dwell 60 s, penalty at most 300 s

MonotonicTime At(int seconds) { return kStart + Seconds(seconds); }

TEST(Hold, ReleasesAfterRecoveryAndDwell) {
  Hold hold;
  hold.OnBad(kSettings, At(0));
  hold.OnCalm(false, At(1));
  EXPECT_FALSE(hold.good_since());
  hold.OnCalm(true, At(10));
  hold.OnCalm(true, At(69));
  EXPECT_FALSE(hold.Released(kSettings, At(69)));
  EXPECT_TRUE(hold.Released(kSettings, At(70)));
  hold.OnCalm(false, At(71));
  EXPECT_FALSE(hold.Released(kSettings, At(200))) << "one step that is not good begins again";
}

TEST(Hold, WaitsOutTheDwellWhereRecoveryIsShort) {
  DetectorSettings settings;
  settings.recovery = Seconds(5);
  Hold hold;
  hold.OnBad(settings, At(0));
  hold.OnCalm(true, At(10));
  EXPECT_TRUE(hold.Recovered(settings, At(15)));
  EXPECT_FALSE(hold.Released(settings, At(59)));
  EXPECT_TRUE(hold.Released(settings, At(60)));
}

TEST(Hold, DoublesWithEachRelapseUpToTheLimit) {
  Hold hold;
  int at = 0;
  for (const int dwell : {60, 120, 240, 300, 300}) {
    hold.OnBad(kSettings, At(at));
    EXPECT_EQ(hold.Dwell(kSettings), Seconds(dwell));
    EXPECT_EQ(hold.Until(kSettings), At(at + dwell));
    at += 200;
  }
}

TEST(Hold, FlickerWithinItsWindowsIsOneTrouble) {
  Hold hold;
  for (int s = 0; s < 100; s += 5) hold.OnBad(kSettings, At(s));
  EXPECT_EQ(hold.Dwell(kSettings), Seconds(60));
  EXPECT_EQ(hold.Until(kSettings), At(60));
}

TEST(Hold, ForgetsOldTrouble) {
  Hold hold;
  hold.OnBad(kSettings, At(0));
  hold.OnBad(kSettings, At(100));
  EXPECT_EQ(hold.Dwell(kSettings), Seconds(120));
  hold.OnBad(kSettings, At(701));
  EXPECT_EQ(hold.Dwell(kSettings), Seconds(60));
  hold.OnBad(kSettings, At(800));
  hold.Forget();
  hold.OnBad(kSettings, At(900));
  EXPECT_EQ(hold.Dwell(kSettings), Seconds(60));
}

TEST(Hold, TimeThatIsPassedOverNeitherRecoversNorSeparates) {
  Hold hold;
  hold.PassOver(Seconds(5));
  hold.OnBad(kSettings, At(0));
  hold.PassOver(Seconds(100));
  hold.OnBad(kSettings, At(105));
  EXPECT_EQ(hold.Dwell(kSettings), Seconds(60)) << "the same trouble";
  hold.OnCalm(true, At(120));
  hold.PassOver(Seconds(100));
  EXPECT_FALSE(hold.Recovered(kSettings, At(279)));
  EXPECT_TRUE(hold.Recovered(kSettings, At(280)));
}

TEST(Hold, PenaltyLimitBelowDwellNeverShortensTheDwell) {
  DetectorSettings settings;
  settings.flap_penalty_max = Seconds(30);
  Hold hold;
  hold.OnBad(settings, At(0));
  hold.OnBad(settings, At(50));
  EXPECT_EQ(hold.Dwell(settings), Seconds(60));
}

}  // namespace
}  // namespace fairlead::linkprobe
