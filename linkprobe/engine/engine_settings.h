// What an engine is told at start.
#pragma once

#include <cstdint>

#include "common/base/clock.h"
#include "common/link/detector_settings.h"

namespace fairlead::linkprobe {

struct EngineSettings {
  std::uint64_t epoch = 0;        // random, new at each start of the program
  std::uint64_t seed = 0;         // of the sending times
  double probes_per_second = 10;  // per peer and path
  Nanoseconds report_window = Seconds(60);
  DetectorSettings detector;
};

}  // namespace fairlead::linkprobe
