// Since when a line has broken limits that a policy or a gang sets.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/clock.h"
#include "common/config/migration_config.h"
#include "extender/migration/line_condition.h"

namespace fairlead::extender {

enum class LimitKind { kRtt, kJitter, kLoss, kBandwidth };

// "maxRtt", "maxJitter", "maxLoss", "minBandwidth".
std::string_view LimitKindName(LimitKind kind);

// What was measured of a line, the worse of both directions; absent: not known, or stale.
struct LineValues {
  std::optional<Nanoseconds> rtt_p50;
  std::optional<Nanoseconds> jitter;
  std::optional<double> loss_lower;  // lower bound of the interval
  std::optional<double> bits_per_second;
};

struct LimitBreach {
  SitePair line;
  LimitKind kind = LimitKind::kRtt;
  Nanoseconds broken_for{};
  std::string text;  // "p50 41.2 ms, maxRtt 40 ms"
};

// What `of_gang` limits, else what the configuration does for this line, else its policy.
LineThresholds ThresholdsOf(const SitePair& line, const LineThresholds& of_gang,
                            const MigrationConfig& config);

// Single-threaded. A limit counts as broken from the first value beyond it on, until a value within
// it; a value that is not known ends nothing, but nothing is told while it is not known.
class LimitWatch {
 public:
  // `who` limits this line so; call once a round for each.
  std::vector<LimitBreach> Observe(std::string_view who, const SitePair& line,
                                   const LineThresholds& limits, const LineValues& values,
                                   MonotonicTime now);
  // Forgets what was not observed since.
  void Expire(MonotonicTime since);

 private:
  struct Since {
    MonotonicTime broken{};
    MonotonicTime observed{};
  };
  using Key = std::pair<std::string, std::pair<SitePair, LimitKind>>;
  std::map<Key, Since> broken_;
};

}  // namespace fairlead::extender
