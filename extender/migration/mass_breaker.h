// Holds every move while too much is bad at once: one cut must not move everything.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/config/migration_config.h"
#include "extender/migration/line_condition.h"

namespace fairlead::extender {

struct JudgedLine {
  SitePair line;
  LineJudgement judgement = LineJudgement::kStale;
};

// Why everything is to be held; empty: it is not. Lines inside a site do not count. Held when of
// the lines at least two, and at least config.lines of all that are not stale, are bad; when all
// lines of a site that has at least two are bad or stale and one of them is bad; or when at least
// config.least_gangs, and at least config.gangs of all gangs on a line, qualify.
std::string MassEvent(std::span<const JudgedLine> lines, std::size_t gangs_on_lines,
                      std::size_t qualifying, const BreakerConfig& config);

// Single-threaded.
class MassBreaker {
 public:
  enum class Change { kNone, kOpened, kClosed };

  // Opens at an event, closes `hold` after the last one.
  Change Observe(std::string event, MonotonicTime now, Nanoseconds hold);
  bool open() const { return last_.has_value(); }
  const std::string& why() const { return why_; }
  // How long it stays open if nothing more happens.
  Nanoseconds Remaining(MonotonicTime now, Nanoseconds hold) const;

 private:
  std::optional<MonotonicTime> last_;
  std::string why_;
};

}  // namespace fairlead::extender
