// What other thresholds would have brought.
#pragma once

#include <cstddef>
#include <vector>

#include "extender/replay/replay.h"

namespace fairlead::extender {

// Seconds, of all gangs together.
struct ThresholdRow {
  double margin = 0;
  double better_by = 0;
  std::size_t moves = 0;
  double moving = 0;  // what the moves cost
  double gain = 0;
  double regret = 0;
  bool configured = false;
};

// `margin` by `betterBy`, by both rising; those of the configuration are among them. A margin of a
// class of gangs counts for its gangs as it is.
std::vector<ThresholdRow> ThresholdTable(const ReplayQuestion& question);

}  // namespace fairlead::extender
