// The shortest round trip that physics allows between two sites.
#pragma once

#include "common/base/clock.h"

namespace fairlead {

// Degrees, north and east positive.
struct Coordinates {
  double latitude_degrees = 0;
  double longitude_degrees = 0;
};

// Great-circle distance in kilometres on a sphere of 6371.0088 km (IUGG mean radius).
double GreatCircleKilometres(const Coordinates& a, const Coordinates& b);

// 2 x great circle / (c / 1.468): light in silica fibre of group index 1.468 along the geodesic.
// No RTT over fibre can be shorter. Hong Kong - Singapore is 25.3 ms.
Nanoseconds FibreFloorRtt(const Coordinates& a, const Coordinates& b);

}  // namespace fairlead
