// Whether this replica leads, as the other parts of the program see it.
#pragma once

#include <cstdint>
#include <string>

#include "common/base/clock.h"

namespace fairlead::extender {

// Ask LeadsAt at the moment of acting: a process that was stopped for a while may find a value that
// nobody has had the time to replace.
struct Leadership {
  bool leading = false;
  // Grows with each leader. Of this replica while it leads, else the newest that it has heard of; 0
  // before any, and where nothing is elected.
  std::uint64_t term = 0;
  std::string holder{};   // identity of the newest leader known; empty: none
  MonotonicTime until{};  // `leading` is worth nothing from here on

  bool operator==(const Leadership&) const = default;
  bool LeadsAt(MonotonicTime now) const { return leading && now < until; }

  // One replica alone, without an election: it leads for ever, in term 0.
  static Leadership Standalone() {
    return {.leading = true, .term = 0, .holder = {}, .until = MonotonicTime::max()};
  }
};

}  // namespace fairlead::extender
