#include "common/geo/fibre_floor.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace fairlead {
namespace {

constexpr double kEarthRadiusKilometres = 6371.0088;
constexpr double kLightKilometresPerSecond = 299792.458;
constexpr double kSilicaGroupIndex = 1.468;

double Radians(double degrees) { return degrees * std::numbers::pi / 180; }

}  // namespace

double GreatCircleKilometres(const Coordinates& a, const Coordinates& b) {
  const double lat_a = Radians(a.latitude_degrees);
  const double lat_b = Radians(b.latitude_degrees);
  const double half_lat = std::sin((lat_b - lat_a) / 2);
  const double half_lon = std::sin(Radians(b.longitude_degrees - a.longitude_degrees) / 2);
  const double haversine =
      half_lat * half_lat + std::cos(lat_a) * std::cos(lat_b) * half_lon * half_lon;
  return 2 * kEarthRadiusKilometres * std::asin(std::sqrt(std::clamp(haversine, 0.0, 1.0)));
}

Nanoseconds FibreFloorRtt(const Coordinates& a, const Coordinates& b) {
  const double seconds =
      2 * GreatCircleKilometres(a, b) * kSilicaGroupIndex / kLightKilometresPerSecond;
  return Nanoseconds(static_cast<std::int64_t>(seconds * 1e9));
}

}  // namespace fairlead
