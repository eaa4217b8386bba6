// Cuts what a probe knows about its paths into windows that do not overlap.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "common/base/clock.h"
#include "common/link/link_measurement.h"
#include "linkprobe/estimate/path_totals.h"
#include "linkprobe/record/line_window.h"

namespace fairlead::linkprobe {

// A path at one moment. `measurement` covers the window that is to be recorded, `totals` only grow.
struct PathObservation {
  std::string line;
  std::uint32_t path = 0;
  MonotonicTime at{};
  WallTime wall_at{};
  LinkMeasurement measurement;
  PathTotals totals;
};

// Pure; not thread-safe.
class WindowCutter {
 public:
  WindowCutter(MonotonicTime started, Nanoseconds window) : started_(started), window_(window) {}

  // The window that ends at the observation; nothing until it is long enough, nor for one in which
  // no probe was sent. Losses are the growth of the totals, so that none falls between two windows.
  std::optional<LineWindow> Observe(const PathObservation& seen);

 private:
  struct Cut {
    MonotonicTime at{};
    PathTotals totals;
  };

  MonotonicTime started_;
  Nanoseconds window_;
  std::map<std::pair<std::string, std::uint32_t>, Cut> cuts_;
};

}  // namespace fairlead::linkprobe
