#include "extender/link/line_rate.h"

#include <gtest/gtest.h>

namespace fairlead::extender {
namespace {

constexpr TestLifetimes kLifetimes{.train = Seconds(3600), .saturation = Seconds(7200)};

CapacityTest Train(double rate, int age = 60) {
  return {.source = RateSource::kTrain, .bytes_per_second = rate, .age = Seconds(age)};
}
CapacityTest Saturation(double rate, int age = 60) {
  return {.source = RateSource::kSaturation, .bytes_per_second = rate, .age = Seconds(age)};
}
CapacityTest AtLeast(CapacityTest test) {
  test.at_least = true;
  return test;
}

struct Case {
  const char* name;
  std::vector<CapacityTest> tests;
  std::optional<double> declared;
  std::optional<double> rate;
  RateSource source = RateSource::kDeclared;
  bool at_least = false;
  DeclaredRateDoubt doubt = DeclaredRateDoubt::kNone;
};

class Rates : public ::testing::TestWithParam<Case> {};

TEST_P(Rates, AreOfTheBestSourceThatCounts) {
  const Case& c = GetParam();
  const LineCapacity capacity = JudgeCapacity(c.tests, c.declared, std::nullopt, kLifetimes);
  EXPECT_EQ(DeclaredRateDoubtName(capacity.doubt), DeclaredRateDoubtName(c.doubt));
  ASSERT_EQ(capacity.rate.has_value(), c.rate.has_value());
  if (!c.rate) return;
  EXPECT_EQ(capacity.rate->bytes_per_second, *c.rate);
  EXPECT_EQ(RateSourceName(capacity.rate->source), RateSourceName(c.source));
  EXPECT_EQ(capacity.rate->at_least, c.at_least);
}

constexpr auto kTrain = RateSource::kTrain;
constexpr auto kSaturation = RateSource::kSaturation;
constexpr auto kDeclared = RateSource::kDeclared;
constexpr auto kAbsent = DeclaredRateDoubt::kAbsent;
constexpr auto kExceeded = DeclaredRateDoubt::kExceeded;
constexpr auto kNotReached = DeclaredRateDoubt::kNotReached;

INSTANTIATE_TEST_SUITE_P(
    Each, Rates,
    ::testing::Values(
        Case{"nothing", {}, std::nullopt, std::nullopt, kDeclared, false, kAbsent},
        Case{"declared_as_zero", {}, 0, std::nullopt, kDeclared, false, DeclaredRateDoubt::kZero},
        Case{"declared", {}, 100, 100}, Case{"train_below_declared", {Train(80)}, 100, 80, kTrain},
        Case{"saturation_before_a_newer_train",
             {Train(80, 1), Saturation(70, 100)},
             100,
             70,
             kSaturation},
        Case{"capped_by_declared", {Saturation(130)}, 100, 100, kDeclared},
        Case{"declared_ten_times_too_low",
             {Saturation(1000)},
             100,
             1000,
             kSaturation,
             false,
             kExceeded},
        Case{"declared_ten_times_too_high", {Train(10)}, 100, 10, kTrain, false, kNotReached},
        Case{"old_saturation_leaves_the_train", {Train(80), Saturation(70, 7200)}, 100, 80, kTrain},
        Case{"old_tests_leave_the_declaration",
             {Train(80, 3600), Saturation(70, 7200)},
             100,
             100,
             kDeclared},
        Case{"undeclared", {Train(80)}, std::nullopt, 80, kTrain, false, kAbsent},
        Case{"declared_as_zero_and_tested",
             {Train(80)},
             0,
             80,
             kTrain,
             false,
             DeclaredRateDoubt::kZero},
        Case{"a_bound_below_the_declared_says_nothing", {AtLeast(Train(8))}, 100, 100, kDeclared},
        Case{"a_bound_where_nothing_is_declared",
             {AtLeast(Train(80))},
             std::nullopt,
             80,
             kTrain,
             true,
             kAbsent},
        Case{"a_bound_ten_times_the_declared",
             {AtLeast(Train(1000))},
             100,
             1000,
             kTrain,
             true,
             kExceeded},
        Case{"a_bound_beyond_what_was_found",
             {AtLeast(Saturation(90)), Train(80)},
             std::nullopt,
             90,
             kSaturation,
             true,
             kAbsent},
        Case{
            "a_bound_below_what_was_found", {AtLeast(Saturation(60)), Train(80)}, 100, 80, kTrain}),
    [](const auto& each) { return each.param.name; });

TEST(TestMemory, KeepsTheNewestOfEachSourceAndLetsItAge) {
  const MonotonicTime now{Seconds(10'000)};
  TestMemory memory;
  memory.Add(Train(80, 30), now);
  memory.Add(Train(70, 300), now);  // another node's, older
  memory.Add(Saturation(60, 500), now);
  const auto tests = memory.At(now + Seconds(10));
  ASSERT_EQ(tests.size(), 2U);
  EXPECT_EQ(tests[0].bytes_per_second, 80);
  EXPECT_EQ(tests[0].age, Seconds(40));
  EXPECT_EQ(tests[1].source, RateSource::kSaturation);
  EXPECT_EQ(tests[1].age, Seconds(510));
}

}  // namespace
}  // namespace fairlead::extender
