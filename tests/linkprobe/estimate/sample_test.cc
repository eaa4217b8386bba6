#include "linkprobe/estimate/sample.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <limits>
#include <string>

namespace fairlead::linkprobe {
namespace {

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

constexpr SixStamps kGood{
    .t1 = 1000, .t2 = 1010, .t3 = 5'000'500, .t4 = 5'000'700, .t5 = 2010, .t6 = 2050};

TEST(ComputeDelays, SplitsTheExchange) {
  const auto delays = ComputeDelays(kGood);
  ASSERT_TRUE(delays);
  EXPECT_EQ(delays->rtt, 800);
  EXPECT_EQ(delays->responder_delay, 200);
  EXPECT_EQ(delays->prober_delay, 50);
  EXPECT_EQ(delays->forward, 5'000'500 - 1010);
  EXPECT_EQ(delays->reverse, 2010 - 5'000'700);
  EXPECT_EQ(delays->forward + delays->reverse, delays->rtt);
}

TEST(ComputeDelays, DoesNotCareForTheClocksOffset) {
  for (const std::int64_t offset :
       std::initializer_list<std::int64_t>{-7'000'000'000'000, 0, 9'000'000'000'000}) {
    SixStamps s = kGood;
    s.t3 += offset;
    s.t4 += offset;
    EXPECT_EQ(ComputeDelays(s)->rtt, 800);
  }
}

struct ImpossibleCase {
  const char* name;
  SixStamps stamps;
};

class Impossible : public ::testing::TestWithParam<ImpossibleCase> {};

TEST_P(Impossible, IsRefused) { EXPECT_FALSE(ComputeDelays(GetParam().stamps)); }

const ImpossibleCase kCases[] = {
    {"answered_before_asked", {.t1 = 1000, .t2 = 1000, .t3 = 1, .t4 = 2, .t5 = 999, .t6 = 1000}},
    {"left_before_it_came", {.t1 = 0, .t2 = 0, .t3 = 10, .t4 = 9, .t5 = 100, .t6 = 100}},
    {"longer_inside_than_away", {.t1 = 0, .t2 = 0, .t3 = 0, .t4 = 101, .t5 = 100, .t6 = 100}},
    {"no_time_on_the_line", {.t1 = 0, .t2 = 0, .t3 = 0, .t4 = 100, .t5 = 100, .t6 = 100}},
    {"away_for_hours", {.t1 = 0, .t2 = 0, .t3 = 0, .t4 = 0, .t5 = 4'000'000'000'000, .t6 = 0}},
    {"t3_least", {.t1 = 0, .t2 = 5, .t3 = kLeast, .t4 = kMost, .t5 = 100, .t6 = 100}},
    {"t3_t4_most", {.t1 = -9, .t2 = -9, .t3 = kMost, .t4 = kMost, .t5 = 100, .t6 = 100}},
    {"t4_least", {.t1 = 0, .t2 = 0, .t3 = 0, .t4 = kLeast, .t5 = 100, .t6 = 100}},
    {"t2_least", {.t1 = 0, .t2 = kLeast, .t3 = 0, .t4 = 0, .t5 = kMost, .t6 = 100}},
};

INSTANTIATE_TEST_SUITE_P(Cases, Impossible, ::testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace fairlead::linkprobe
