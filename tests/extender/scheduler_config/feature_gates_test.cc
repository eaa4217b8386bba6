#include "extender/scheduler_config/feature_gates.h"

#include <gmock/gmock.h>

#include "tests/extender/scheduler_config/judged.h"

namespace fairlead::extender {
namespace {

using testing::HasSubstr;

TEST(FeatureGates, AreReadAsKubernetesReadsThem) {
  const std::pair<const char*, FeatureGates> cases[] = {
      {"", {}},
      {"A=true", {{"A", true}}},
      {"A=true,B=false", {{"A", true}, {"B", false}}},
      {" A = True ,, B=0", {{"A", true}, {"B", false}}},
      {"A=true,A=false", {{"A", false}}}};
  for (const auto& [text, gates] : cases) {
    const auto parsed = ParseFeatureGates(text);
    ASSERT_TRUE(parsed) << text;
    EXPECT_EQ(*parsed, gates) << text;
  }
}

TEST(FeatureGates, OtherWordsAreRefused) {
  for (const char* text : {"A", "=true", "A=", "A=yes", "A=true B=false", "A=true,nonsense",
                           "A:true", "A B=true", "A=true=false", "\x1b[31m=true"}) {
    const auto parsed = ParseFeatureGates(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_THAT(parsed.error().message, HasSubstr("is no feature gate; write them like")) << text;
  }
}

TEST(FeatureGates, OneThatKubeSchedulerDoesNotHaveIsNoted) {
  EXPECT_TRUE(IsKubeFeatureGate("OpportunisticBatching"));
  EXPECT_TRUE(IsKubeFeatureGate("AllBeta"));
  EXPECT_FALSE(IsKubeFeatureGate("OpportunisticBatchin"));
  const auto noted = [](const FeatureGates& gates) {
    const Findings findings = JudgeText("kind: KubeSchedulerConfiguration\n",
                                        {.environment = {}, .feature_gates = gates});
    return std::ranges::count(findings, "feature gate \"Batching\"", &Finding::what);
  };
  EXPECT_EQ(noted({{"Batching", false}}), 1);
  EXPECT_EQ(noted({{"Batching", true}, {"OpportunisticBatching", false}}), 1);
  EXPECT_EQ(noted({{"OpportunisticBatching", false}}), 0);
}

}  // namespace
}  // namespace fairlead::extender
