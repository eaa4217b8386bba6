// A horizontal axis that fits the values drawn on it.
#pragma once

#include <vector>

namespace fairlead::linkprobe {

// Values `low`..`high` and the round numbers among them that are labelled.
struct Axis {
  double low = 0;
  double high = 1;
  std::vector<double> ticks;

  // 0..1 for values on the axis; values beyond it are at its ends.
  double Place(double value) const;
  bool Holds(double value) const { return value >= low && value <= high; }
};

// Fits the inner 99 % of the values, so that one outlier does not press the rest together; has some
// room at both ends and some width even where all values are equal. `least` is where values end
// below: 0 for what cannot be negative; `narrowest` > 0 is what it spans at least. With nothing to
// show it is 0..1.
Axis FitAxis(std::vector<double> values, double least, double narrowest);

// The nearest-rank quantile of sorted values, of which there is one at least.
double SortedQuantile(const std::vector<double>& sorted, double q);

}  // namespace fairlead::linkprobe
