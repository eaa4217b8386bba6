#include "linkprobe/detect/loss_judge.h"

#include <gtest/gtest.h>

#include <string>

namespace fairlead::linkprobe {
namespace {

struct JudgeCase {
  const char* name;
  LossCounts long_window;
  LossCounts short_window;
  std::optional<LinkState> state;
  LinkReason reason;
};

class JudgesLoss : public ::testing::TestWithParam<JudgeCase> {};

TEST_P(JudgesLoss, ByLowerBoundsPerDirection) {
  WindowValues values;
  values.loss = GetParam().long_window;
  values.loss_critical = GetParam().short_window;
  const auto finding = JudgeLoss(values, DetectorSettings{});
  ASSERT_EQ(finding.has_value(), GetParam().state.has_value());
  if (!finding) return;
  EXPECT_EQ(finding->state, *GetParam().state) << finding->evidence;
  EXPECT_EQ(finding->reason, GetParam().reason) << finding->evidence;
  const bool both = finding->reason == LinkReason::kLossBoth;
  EXPECT_EQ(finding->evidence.find("forward") != std::string::npos,
            both || finding->reason == LinkReason::kLossForward);
  EXPECT_EQ(finding->evidence.find("reverse") != std::string::npos,
            both || finding->reason == LinkReason::kLossReverse);
}

constexpr LossCount None(std::uint64_t sent) { return {0, sent, 0}; }
constexpr LossCounts Clean(std::uint64_t sent) { return {None(sent), None(sent), 0}; }

constexpr JudgeCase kCases[] = {
    {"nothing_sent", {}, {}, std::nullopt, LinkReason::kNone},
    {"clean", Clean(600), Clean(100), std::nullopt, LinkReason::kNone},
    {"one_of_twenty",
     {{1, 20, 1}, None(19), 0},
     {{1, 20, 1}, None(19), 0},
     std::nullopt,
     LinkReason::kNone},
    {"two_of_600",
     {{2, 600, 2}, None(598), 0},
     {{2, 100, 2}, None(98), 0},
     std::nullopt,
     LinkReason::kNone},
    {"three_of_600_forward",
     {{3, 600, 3}, None(597), 0},
     Clean(100),
     LinkState::kDegraded,
     LinkReason::kLossForward},
    {"three_of_600_reverse",
     {None(600), {3, 600, 3}, 0},
     Clean(100),
     LinkState::kDegraded,
     LinkReason::kLossReverse},
    {"three_of_6000_prove_nothing",
     {{3, 6000, 3}, None(5997), 0},
     Clean(100),
     std::nullopt,
     LinkReason::kNone},
    {"one_run_of_many",
     {{20, 600, 1}, None(580), 0},
     {{20, 100, 1}, None(80), 0},
     LinkState::kSuspect,
     LinkReason::kLossForward},
    {"both",
     {{9, 600, 9}, {8, 591, 8}, 0},
     Clean(100),
     LinkState::kDegraded,
     LinkReason::kLossBoth},
    {"critical_reverse",
     {None(600), {5, 600, 4}, 0},
     {None(100), {5, 100, 4}, 0},
     LinkState::kDegraded,
     LinkReason::kLossReverse},
    {"unknown_direction_accuses_nobody",
     {None(500), None(500), 100},
     {None(0), None(0), 100},
     std::nullopt,
     LinkReason::kNone},
};

INSTANTIATE_TEST_SUITE_P(Cases, JudgesLoss, ::testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(IsCalm, AllowsOneLoss) {
  EXPECT_TRUE(IsCalm(Clean(100)));
  EXPECT_TRUE(IsCalm({{1, 100, 1}, None(99), 0}));
  EXPECT_FALSE(IsCalm({{1, 100, 1}, {1, 99, 1}, 0}));
  EXPECT_FALSE(IsCalm({None(100), None(100), 2}));
}

}  // namespace
}  // namespace fairlead::linkprobe
