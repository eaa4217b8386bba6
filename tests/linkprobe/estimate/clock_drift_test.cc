#include "linkprobe/estimate/clock_drift.h"

#include <gtest/gtest.h>

#include <random>

namespace fairlead::linkprobe {
namespace {

// Feeds one sample each 100 ms from a peer whose clock drifts, with one-way queueing noise.
class Line {
 public:
  explicit Line(double drift) : drift_(drift) {}

  bool Add() {
    now_ += Milliseconds(100);
    const auto age = static_cast<double>(now_.time_since_epoch().count());
    const auto offset = static_cast<std::int64_t>(age * drift_) + step;
    return fit.Add(now_, forward + offset + Noise(), reverse - offset + Noise());
  }
  int AddFor(int seconds) {
    int jumps = 0;
    for (int i = 0; i < seconds * 10; ++i) jumps += Add() ? 1 : 0;
    return jumps;
  }

  ClockDrift fit;
  std::int64_t forward = 18'000'000;
  std::int64_t reverse = 18'000'000;
  std::int64_t step = 0;

 private:
  std::int64_t Noise() {
    return static_cast<std::int64_t>(std::exponential_distribution<double>(1 / 2e5)(random_));
  }

  double drift_;
  MonotonicTime now_{Seconds(5)};
  std::mt19937_64 random_{1};
};

TEST(ClockDrift, FindsTheSlope) {
  for (const double drift : {-500e-6, -20e-6, 0.0, 1e-6, 50e-6, 500e-6}) {
    Line line(drift);
    EXPECT_EQ(line.AddFor(5), 0);
    EXPECT_FALSE(line.fit.known());
    EXPECT_EQ(line.fit.slope(), 0);
    EXPECT_EQ(line.AddFor(85), 0) << drift;
    ASSERT_TRUE(line.fit.known());
    EXPECT_NEAR(line.fit.slope(), drift, 2e-6);
  }
}

TEST(ClockDrift, IsMovedLittleByAStepOfTheLine) {
  Line line(50e-6);
  line.AddFor(60);
  line.forward += 5'000'000;
  for (int s = 0; s < 60; ++s) {
    EXPECT_EQ(line.AddFor(1), 0);
    EXPECT_NEAR(line.fit.slope(), 50e-6, 90e-6) << s;
  }
  line.AddFor(60);
  EXPECT_NEAR(line.fit.slope(), 50e-6, 2e-6);
}

TEST(ClockDrift, TellsAJumpOfTheClockOnceAndForgets) {
  for (const std::int64_t by : {3'000'000L, -3'000'000L, 9'000'000'000L, -3600'000'000'000L}) {
    Line line(20e-6);
    line.AddFor(60);
    line.step = by;
    EXPECT_EQ(line.AddFor(60), 1) << by;
    EXPECT_NEAR(line.fit.slope(), 20e-6, 2e-6);
  }
}

TEST(ClockDrift, TakesNoShorterPathForAJump) {
  Line line(20e-6);
  line.AddFor(60);
  line.forward -= 9'000'000;
  EXPECT_EQ(line.AddFor(60), 0);
}

TEST(ClockDrift, TakesNothingElseForAClock) {
  Line line(0.5);
  line.AddFor(60);
  EXPECT_FALSE(line.fit.known());
  EXPECT_EQ(line.fit.slope(), 0);
}

}  // namespace
}  // namespace fairlead::linkprobe
