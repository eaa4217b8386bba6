// How long the values of a series hang together.
#pragma once

#include <cstddef>
#include <span>

namespace fairlead::linkprobe {

// Correlation of the ranks of neighbours, -1..1; ties share their mean rank, so that one outlier
// neither makes nor hides it. 0 where all values are equal or there are fewer than three.
double RankAutocorrelation(std::span<const double> values);

// How many neighbours the block bootstrap must keep together for a standard error with the least
// error: (6 r^2 / (1 - r^2)^2)^(1/3) n^(1/3) for a series that follows AR(1) (Politis and White
// 2004, circular blocks), and never less than n^(1/3), since other series remember longer than
// their r shows. `r` is RankAutocorrelation, corrected for its bias of -(1 + 3r)/n (Kendall 1954)
// and raised by its standard error 1/sqrt(n), because blocks too short promise too much.
// At least 1; more than the series has where it is one single trend.
std::size_t BlockLength(std::span<const double> values);

}  // namespace fairlead::linkprobe
