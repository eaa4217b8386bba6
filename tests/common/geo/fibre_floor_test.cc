#include "common/geo/fibre_floor.h"

#include <gtest/gtest.h>

#include <random>

namespace fairlead {
namespace {

constexpr Coordinates kHongKong{22.32, 114.17};
constexpr Coordinates kSingapore{1.35, 103.82};
constexpr Coordinates kTokyo{35.68, 139.69};
constexpr Coordinates kSiliconValley{37.35, -121.95};

double RoundTripMs(const Coordinates& a, const Coordinates& b) {
  return static_cast<double>(FibreFloorRtt(a, b).count()) / 1e6;
}

TEST(FibreFloor, KnowsTheLinesOfTheRegion) {
  EXPECT_NEAR(RoundTripMs(kHongKong, kSingapore), 25.3, 0.1);
  EXPECT_NEAR(RoundTripMs(kHongKong, kTokyo), 28.2, 0.1);
  EXPECT_NEAR(RoundTripMs(kSingapore, kTokyo), 52.0, 0.2);
  EXPECT_NEAR(RoundTripMs(kHongKong, kSiliconValley), 109.2, 0.5);
}

TEST(FibreFloor, IsZeroAtOnePlaceAndLongestAtTheAntipode) {
  EXPECT_EQ(FibreFloorRtt(kTokyo, kTokyo), Nanoseconds(0));
  EXPECT_NEAR(GreatCircleKilometres({10, 20}, {-10, -160}), 20015.1, 0.1);
  EXPECT_NEAR(GreatCircleKilometres({90, 0}, {90, 123}), 0, 1e-6);
}

TEST(FibreFloor, IsSymmetricAndATriangleIsNeverShorter) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> latitude(-90, 90);
  std::uniform_real_distribution<double> longitude(-180, 180);
  const auto draw = [&] { return Coordinates{latitude(random), longitude(random)}; };
  for (int i = 0; i < 500; ++i) {
    const Coordinates a = draw();
    const Coordinates b = draw();
    const Coordinates c = draw();
    EXPECT_NEAR(GreatCircleKilometres(a, b), GreatCircleKilometres(b, a), 1e-6);
    EXPECT_LE(GreatCircleKilometres(a, c),
              GreatCircleKilometres(a, b) + GreatCircleKilometres(b, c) + 1e-6);
    EXPECT_GE(FibreFloorRtt(a, b), Nanoseconds(0));
  }
}

}  // namespace
}  // namespace fairlead
