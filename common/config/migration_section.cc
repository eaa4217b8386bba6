// `migration`: when a gang leaves a degraded line.
#include <algorithm>
#include <bitset>
#include <set>
#include <string>
#include <string_view>

#include "common/base/quote.h"
#include "common/config/choice.h"
#include "common/config/migration_overrides.h"
#include "common/config/names.h"
#include "common/config/section_reader.h"
#include "common/config/sections.h"
#include "common/units/duration.h"

namespace fairlead {
namespace {

constexpr Nanoseconds kNone = Nanoseconds(0);
constexpr Nanoseconds kDay = Seconds(24 * 3600);
constexpr Nanoseconds kLongest = 30 * kDay;
constexpr std::uint32_t kMostMoves = 1000;

// Reads the sub-section where it is there.
template <class Read>
void Within(SectionReader& reader, std::string_view key, Problems& problems, Read read) {
  const DocumentNode* node = reader.Child(key);
  if (node == nullptr) return;
  SectionReader inner(*node, reader.PathOf(key), problems);
  read(inner);
  inner.Finish();
}

void ReadLimit(SectionReader& reader, std::string_view key, MoveLimit& limit, Problems& problems) {
  Within(reader, key, problems, [&](SectionReader& inner) {
    inner.Count("concurrent", limit.concurrent, 1, kMostMoves);
    inner.Count("perWindow", limit.per_window, 1, kMostMoves);
    if (limit.per_window < limit.concurrent) {
      inner.Complain("perWindow", std::to_string(limit.per_window) + " is less than concurrent " +
                                      std::to_string(limit.concurrent) +
                                      "; so many could never run at once, raise it or lower "
                                      "concurrent");
    }
  });
}

void ReadLimits(SectionReader& reader, MigrationLimits& limits, Problems& problems) {
  reader.Duration("window", limits.window, Seconds(60), 7 * kDay);
  ReadLimit(reader, "cluster", limits.cluster, problems);
  ReadLimit(reader, "site", limits.site, problems);
  ReadLimit(reader, "namespace", limits.of_namespace, problems);
  const auto within_cluster = [&](std::string_view key, const MoveLimit& limit) {
    if (!reader.Has(key)) return;
    if (limit.concurrent > limits.cluster.concurrent ||
        limit.per_window > limits.cluster.per_window) {
      reader.Complain(key, "allows more than the whole cluster may (" +
                               std::to_string(limits.cluster.concurrent) + " at once, " +
                               std::to_string(limits.cluster.per_window) +
                               " in a window); lower it or raise limits.cluster");
    }
  };
  within_cluster("site", limits.site);
  within_cluster("namespace", limits.of_namespace);
}

void ReadShare(SectionReader& reader, std::string_view key, double& share) {
  reader.Ratio(key, share);
  if (reader.Has(key) && share <= 0) {
    reader.Complain(key, "is 0, which would hold everything always; to move nothing set mode: off");
  }
}

void ReadBreaker(SectionReader& reader, BreakerConfig& breaker) {
  ReadShare(reader, "lines", breaker.lines);
  ReadShare(reader, "gangs", breaker.gangs);
  reader.Count("leastGangs", breaker.least_gangs, 2, 10'000);
  reader.Duration("hold", breaker.hold, Seconds(10), kDay);
}

void ReadRelocation(SectionReader& reader, RelocationConfig& relocation) {
  reader.Duration("checkpointTimeout", relocation.checkpoint_timeout, kNone, kDay);
  reader.Duration("beginTimeout", relocation.begin_timeout, Seconds(10), kDay);
  reader.Duration("terminationGrace", relocation.termination_grace, kNone, Seconds(3600));
  reader.Duration("evictionPatience", relocation.eviction_patience, Seconds(10), Seconds(3600));
  reader.Duration("followTimeout", relocation.follow_timeout, Seconds(60), kDay);
  if (relocation.follow_timeout <= relocation.termination_grace) {
    reader.Complain("followTimeout",
                    FormatDuration(relocation.follow_timeout) +
                        " is not longer than terminationGrace " +
                        FormatDuration(relocation.termination_grace) +
                        "; every gang would count as stuck before its pods have ended");
  }
}

void ReadWindows(SectionReader& reader, std::string_view key, std::vector<WeeklyWindow>& out) {
  for (const DocumentNode& item : reader.List(key)) {
    if (item.kind != DocumentNode::Kind::kScalar) {
      reader.Complain(key, "holds something other than windows like Sat 02:00-06:00 UTC");
      return;
    }
    const auto windows = ParseWeeklyWindow(item.text);
    if (!windows) {
      reader.Complain(key, windows.error().message);
      continue;
    }
    out.insert(out.end(), windows->begin(), windows->end());
  }
}

std::bitset<kMinutesOfWeek> Minutes(const std::vector<WeeklyWindow>& windows) {
  std::bitset<kMinutesOfWeek> minutes;
  for (const WeeklyWindow& window : windows) {
    for (std::uint32_t i = 0; i < window.minutes; ++i) {
      minutes.set((window.from_minute + i) % kMinutesOfWeek);
    }
  }
  return minutes;
}

void CompareWindows(SectionReader& reader, const MigrationConfig& m) {
  if (m.freezes.empty()) return;
  std::bitset<kMinutesOfWeek> open = Minutes(m.windows);
  if (m.windows.empty()) open.set();
  if ((open & ~Minutes(m.freezes)).none()) {
    reader.Complain("freezes",
                    "leave no minute of the week in which anything may move; shorten them, or set "
                    "mode: off");
  }
}

void CompareWithin(SectionReader& reader, const MigrationConfig& m) {
  if (m.exclusion < m.gang_cooldown) {
    reader.Complain("exclusion", FormatDuration(m.exclusion) + " is shorter than gangCooldown " +
                                     FormatDuration(m.gang_cooldown) +
                                     "; the next move could go straight back, raise it");
  }
  if (m.evidence_stale <= m.interval) {
    reader.Complain("interval", FormatDuration(m.interval) +
                                    " is not shorter than evidence.staleAfter " +
                                    FormatDuration(m.evidence_stale) +
                                    "; nothing would ever be paid, lower it");
  }
  if (m.reset_after < m.evidence_for) {
    reader.Complain("resetAfter", FormatDuration(m.reset_after) +
                                      " is shorter than evidence.degradedFor " +
                                      FormatDuration(m.evidence_for) +
                                      "; what was paid would be forgotten before it counts");
  }
  const Nanoseconds cost =
      m.costs.checkpoint_age + m.costs.checkpoint_write + m.costs.restart + m.costs.requeue;
  if (cost == kNone) {
    reader.Complain("costs", "are all 0, as if moving were free; give at least restart");
  }
  CompareWindows(reader, m);
}

}  // namespace

void ReadMigration(const DocumentNode& node, Config& config, Problems& problems) {
  SectionReader reader(node, "migration", problems);
  MigrationConfig& m = config.migration;
  reader.Value("mode", m.mode, ParseMigrationMode);
  reader.Flag("optIn", m.opt_in);
  reader.Duration("interval", m.interval, Seconds(1), Seconds(300));
  Within(reader, "evidence", problems, [&](SectionReader& inner) {
    inner.Count("samples", m.evidence_samples, 1, 1'000'000);
    inner.Duration("degradedFor", m.evidence_for, kNone, kDay);
    inner.Duration("staleAfter", m.evidence_stale, Seconds(1), Seconds(3600));
  });
  reader.Number("margin", m.margin, 0, 100);
  reader.Ratio("betterBy", m.better_by);
  if (m.better_by <= 0 || m.better_by >= 1) {
    reader.Complain("betterBy", "is outside 0%..100%; a place must be better by something");
  }
  reader.Duration("resetAfter", m.reset_after, kNone, kLongest);
  Within(reader, "costs", problems, [&](SectionReader& inner) {
    inner.Duration("checkpointAge", m.costs.checkpoint_age, kNone, kLongest);
    inner.Duration("checkpointWrite", m.costs.checkpoint_write, kNone, kDay);
    inner.Duration("restart", m.costs.restart, kNone, kDay);
    inner.Duration("requeue", m.costs.requeue, kNone, kLongest);
  });
  reader.Duration("minRuntime", m.min_runtime, kNone, kLongest);
  reader.Duration("nearCompletion", m.near_completion, kNone, kLongest);
  reader.Duration("gangCooldown", m.gang_cooldown, Seconds(60), kLongest);
  reader.Duration("destinationCooldown", m.destination_cooldown, kNone, kDay);
  reader.Duration("exclusion", m.exclusion, Seconds(60), kLongest);
  reader.Count("gangMoves", m.gang_moves, 1, kMostMoves);
  reader.Count("retriesLeft", m.retries_left, 1, 100);
  Within(reader, "limits", problems,
         [&](SectionReader& inner) { ReadLimits(inner, m.limits, problems); });
  Within(reader, "breaker", problems, [&](SectionReader& inner) { ReadBreaker(inner, m.breaker); });
  ReadWindows(reader, "windows", m.windows);
  ReadWindows(reader, "freezes", m.freezes);
  Within(reader, "policy", problems, [&](SectionReader& inner) {
    inner.Duration("for", m.policy_for, Seconds(10), kDay);
    ReadThresholds(inner, m.policy);
  });
  Within(reader, "relocation", problems,
         [&](SectionReader& inner) { ReadRelocation(inner, m.relocation); });
  ReadNamespaceModes(reader, m, problems);
  ReadClassOverrides(reader, m, problems);
  ReadLineOverrides(reader, config, problems);
  reader.Finish();
  CompareWithin(reader, m);
}

}  // namespace fairlead
