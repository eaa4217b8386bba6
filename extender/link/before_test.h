// What a link was like before a bandwidth test filled its line.
#pragma once

#include <optional>

#include "common/base/clock.h"
#include "extender/link/link_view.h"

namespace fairlead::extender {

// A gang would not meet the queue that a test makes, for tests end where gangs come. So while the
// probes' reports look back on one, delay, variation and loss of the view stay those of before,
// with their age beside them. A state that is bad or not known ends that: what is measured then
// counts. Single-threaded.
class BeforeTest {
 public:
  // For each new view of one link, in the order of time. `tested`: a test fills the line now, or
  // has just now; `window` is what the reports look back.
  void Follow(bool tested, Nanoseconds window, MonotonicTime now, LinkView& view);

 private:
  struct Values {
    std::optional<TransportRung> rung;
    std::optional<Nanoseconds> rtt_p50;
    std::optional<Nanoseconds> rtt_p99;
    DirectionMeasurement forward;
    DirectionMeasurement reverse;
  };

  std::optional<Values> before_;
  MonotonicTime before_at_{};
  std::optional<MonotonicTime> until_;
};

}  // namespace fairlead::extender
