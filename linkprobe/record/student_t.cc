#include "linkprobe/record/student_t.h"

#include <cmath>
#include <initializer_list>
#include <numbers>

namespace fairlead::linkprobe {
namespace {

constexpr int kHalvings = 200;
constexpr double kFarthest = 1e9;
// From here on the two distributions are the same to nine digits.
constexpr double kAsGoodAsNormal = 1e9;

// The x >= 0 at which a falling function of it reaches `tail`.
template <class Tail>
double WhereTailIs(double tail, const Tail& tail_at) {
  double low = 0;
  double high = 1;
  while (high < kFarthest && tail_at(high) > tail) high *= 2;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    (tail_at(middle) > tail ? low : high) = middle;
  }
  return (low + high) / 2;
}

double NormalTail(double x) { return 0.5 * std::erfc(x / std::numbers::sqrt2); }

// The continued fraction of the incomplete beta function (Abramowitz and Stegun 26.5.8) by the
// method of Lentz.
double BetaFraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300;
  constexpr double kEnough = 1e-15;
  double c = 1;
  double d = 1 - (a + b) * x / (a + 1);
  d = 1 / (std::abs(d) < kTiny ? kTiny : d);
  double fraction = d;
  for (int m = 1; m < 10'000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    for (const double term : {even, odd}) {
      d = 1 + term * d;
      d = 1 / (std::abs(d) < kTiny ? kTiny : d);
      c = 1 + term / c;
      if (std::abs(c) < kTiny) c = kTiny;
      fraction *= c * d;
    }
    if (std::abs(c * d - 1) < kEnough) break;
  }
  return fraction;
}

double IncompleteBeta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                a * std::log(x) + b * std::log1p(-x));
  if (x < (a + 1) / (a + b + 2)) return front * BetaFraction(a, b, x) / a;
  return 1 - front * BetaFraction(b, a, 1 - x) / b;
}

double StudentTail(double t, double degrees) {
  return 0.5 * IncompleteBeta(degrees / 2, 0.5, degrees / (degrees + t * t));
}

template <class Tail>
double QuantileFrom(double p, const Tail& tail_at) {
  return p < 0.5 ? -WhereTailIs(p, tail_at) : WhereTailIs(1 - p, tail_at);
}

}  // namespace

double NormalQuantile(double p) { return QuantileFrom(p, NormalTail); }

double StudentQuantile(double p, double degrees) {
  if (degrees >= kAsGoodAsNormal) return NormalQuantile(p);
  return QuantileFrom(p, [degrees](double t) { return StudentTail(t, degrees); });
}

}  // namespace fairlead::linkprobe
