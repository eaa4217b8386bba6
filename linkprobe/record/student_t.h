// Quantiles of the distributions that intervals are made from.
#pragma once

namespace fairlead::linkprobe {

// The value below which a standard normal variable lies with probability `p`, 0 < p < 1.
double NormalQuantile(double p);

// The same for Student's t with `degrees` > 0 of freedom, which need not be whole. Accurate to 1e-9
// where the result is below 1e6.
double StudentQuantile(double p, double degrees);

}  // namespace fairlead::linkprobe
