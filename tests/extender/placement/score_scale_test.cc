#include "extender/placement/score_scale.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace fairlead::extender {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(PointsOf, IsLogarithmicAgainstTheBest) {
  // log(1.1) / log 8 = 0.0458, log(2) / log 8 = 1/3
  EXPECT_THAT(
      PointsOf({{0.010}, {0.011}, {0.020}, {0.080}, {1.0}}, {0.010}),
      ElementsAre(10, DoubleNear(9.542, 1e-3), DoubleNear(6.667, 1e-3), DoubleNear(0, 1e-9), 0));
}

TEST(PointsOf, TheBestMayBeNoneOfTheChoices) {
  EXPECT_THAT(PointsOf({{0.040}}, {0.020}), ElementsAre(DoubleNear(6.667, 1e-3)));
}

TEST(PointsOf, TwoMicrosecondsOfNoiseAreEqual) {
  const auto points = PointsOf({{0.072}, {0.072002}, {0.100}, {0.100002}}, {0.072});
  EXPECT_EQ(points[0], points[1]);
  EXPECT_EQ(points[2], points[3]);
  EXPECT_LT(points[2], points[0]);
}

TEST(PointsOf, UncertaintyWidensTheNoise) {
  EXPECT_THAT(PointsOf({{1.0, 0}, {1.2, 0.3}}, {1.0, 0}), ElementsAre(10, 10));
  EXPECT_THAT(PointsOf({{1.0, 0.3}, {1.2, 0}}, {1.0, 0.3}), ElementsAre(10, 10));
  EXPECT_LT(PointsOf({{1.0, 0}, {1.2, 0.1}}, {1.0, 0})[1], 10);
}

TEST(PointsOf, AnUncertainSlowOneDoesNotPassASureFasterOne) {
  const auto points = PointsOf({{1.0, 0}, {1.2, 0}, {1.25, 0.3}}, {1.0, 0});
  EXPECT_EQ(points[1], points[2]);
  EXPECT_LT(points[2], 10);
}

TEST(PointsOf, NoChoicesAndNoTimeAtAll) {
  EXPECT_THAT(PointsOf({}, {1.0}), IsEmpty());
  EXPECT_THAT(PointsOf({{0}, {1}}, {0}), ElementsAre(10, 0));
}

TEST(PointsOf, StayInRangeAndFallWithTimeInAnyOrder) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> exponent(-6, 3);
  std::uniform_real_distribution<double> uncertainty(0, 0.5);
  for (int round = 0; round < 200; ++round) {
    std::vector<TimedChoice> choices(1 + random() % 12);
    for (TimedChoice& choice : choices) {
      choice = {std::pow(10, exponent(random)), uncertainty(random)};
    }
    const TimedChoice best = *std::ranges::min_element(choices, {}, &TimedChoice::seconds);
    const std::vector<double> points = PointsOf(choices, best);
    for (std::size_t i = 0; i < choices.size(); ++i) {
      EXPECT_GE(points[i], 0);
      EXPECT_LE(points[i], 10);
      for (std::size_t j = 0; j < choices.size(); ++j) {
        if (choices[i].seconds <= choices[j].seconds) {
          EXPECT_GE(points[i], points[j]);
        }
      }
    }
    std::vector<std::size_t> order(choices.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::shuffle(order, random);
    std::vector<TimedChoice> shuffled;
    for (const std::size_t i : order) shuffled.push_back(choices[i]);
    const std::vector<double> again = PointsOf(shuffled, best);
    for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(again[i], points[order[i]]);
  }
}

}  // namespace
}  // namespace fairlead::extender
