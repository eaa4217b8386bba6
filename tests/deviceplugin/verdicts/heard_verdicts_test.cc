#include "deviceplugin/verdicts/heard_verdicts.h"

#include <gtest/gtest.h>

namespace fairlead::deviceplugin {
namespace {

constexpr MonotonicTime kNow{Seconds(1000)};

NicVerdict Verdict(bool bad, MonotonicTime at = kNow, const std::string& device = "mlx5_0",
                   std::uint32_t port = 1) {
  return {.device = device, .port = port, .bad = bad, .sentence = "numbers", .at = at};
}

TEST(HeardVerdicts, ChangeWithTheSetOfBadPorts) {
  HeardVerdicts heard;
  EXPECT_FALSE(heard.Hear({Verdict(false)}, kNow));
  EXPECT_TRUE(heard.Hear({Verdict(true)}, kNow));
  EXPECT_FALSE(heard.Hear({Verdict(true)}, kNow));
  EXPECT_TRUE(heard.Hear({Verdict(true, kNow, "mlx5_0", 2)}, kNow));
  EXPECT_TRUE(heard.Hear({Verdict(true, kNow, "mlx5_1", 2)}, kNow));
  EXPECT_FALSE(heard.Hear({Verdict(true, kNow, "mlx5_1", 2), Verdict(false)}, kNow));
  EXPECT_TRUE(heard.Hear({}, kNow));
  EXPECT_FALSE(heard.Hear({}, kNow));
}

TEST(HeardVerdicts, AreForgottenWhenStale) {
  HeardVerdicts heard;
  EXPECT_FALSE(heard.NextExpiry());
  heard.Hear({Verdict(true), Verdict(false, kNow - Seconds(10), "mlx5_1")}, kNow);
  EXPECT_EQ(heard.NextExpiry(), kNow - Seconds(10) + kNicVerdictLife + Nanoseconds(1));
  // The first to go says nothing bad.
  EXPECT_FALSE(heard.Expire(*heard.NextExpiry()));
  EXPECT_EQ(heard.verdicts().size(), 1U);
  EXPECT_FALSE(heard.Expire(kNow + kNicVerdictLife));
  EXPECT_TRUE(heard.Expire(*heard.NextExpiry()));
  EXPECT_TRUE(heard.verdicts().empty());
  EXPECT_FALSE(heard.Expire(kNow + Seconds(1000)));
}

TEST(HeardVerdicts, ThatArriveStaleChangeNothing) {
  HeardVerdicts heard;
  EXPECT_FALSE(heard.Hear({Verdict(true, kNow - kNicVerdictLife - Nanoseconds(1))}, kNow));
  EXPECT_TRUE(heard.verdicts().empty());
  EXPECT_TRUE(heard.Hear({Verdict(true, kNow - kNicVerdictLife)}, kNow));
}

}  // namespace
}  // namespace fairlead::deviceplugin
