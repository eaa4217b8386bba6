// From predicted times to points.
#pragma once

#include <vector>

namespace fairlead::extender {

struct TimedChoice {
  double seconds = 0;            // predicted communication time, not negative
  double uncertainty_ratio = 0;  // relative
};

inline constexpr double kMostPoints = 10;
inline constexpr double kNoise = 0.05;  // times closer than 5 % are not told apart

// Points of each choice, in order: 10 x (1 - log(T / T_best) / log 8), clamped to 0..10; 8 times
// slower is 0, 10 % slower 9.5. From the fastest on, choices within max(5 %, uncertainty) of the
// first of their run count with its time, so equal within noise is equal points, and a slower
// choice never has more points than a faster one. `best` may be none of the choices.
std::vector<double> PointsOf(const std::vector<TimedChoice>& choices, const TimedChoice& best);

}  // namespace fairlead::extender
