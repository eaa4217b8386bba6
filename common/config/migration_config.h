// `migration`: when a gang leaves a degraded line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/base/clock.h"
#include "common/config/weekly_window.h"

namespace fairlead {

// Ordered: a higher one does more.
enum class MigrationMode {
  kOff,     // nothing is decided
  kDryRun,  // decided and told, never done
  kEnforce,
};

// Limits on a line; a gang leaves sooner when one of them is exceeded for long enough. Absent:
// none.
struct LineThresholds {
  std::optional<Nanoseconds> max_rtt;     // against p50
  std::optional<Nanoseconds> max_jitter;  // the worse direction
  std::optional<double> max_loss;         // against the lower bound of the worse direction
  std::optional<std::uint64_t> min_bandwidth_bits_per_second;
  bool operator==(const LineThresholds&) const = default;
  bool any() const { return *this != LineThresholds{}; }
};

// Instead of migration.policy, for one line; each end sorted.
struct LineOverride {
  std::pair<std::string, std::string> line;
  LineThresholds thresholds;          // those that are absent are of migration.policy
  std::optional<MigrationMode> most;  // gangs on this line are moved by this mode at most
  bool operator==(const LineOverride&) const = default;
};

// For pods of one PriorityClass.
struct ClassOverride {
  std::string priority_class;
  std::optional<MigrationMode> mode;
  std::optional<double> margin;
  std::optional<Nanoseconds> min_runtime;
  bool operator==(const ClassOverride&) const = default;
};

struct NamespaceMode {
  std::string name;
  MigrationMode mode = MigrationMode::kDryRun;
  bool operator==(const NamespaceMode&) const = default;
};

struct MoveLimit {
  std::uint32_t concurrent = 1;
  std::uint32_t per_window = 4;
  bool operator==(const MoveLimit&) const = default;
};

struct MigrationLimits {
  Nanoseconds window = Seconds(3600);
  MoveLimit cluster{2, 6};
  MoveLimit site{1, 4};  // of moves that leave it or go to it
  MoveLimit of_namespace{1, 4};
  bool operator==(const MigrationLimits&) const = default;
};

// Holds everything while more than these shares are bad at once.
struct BreakerConfig {
  double lines = 0.5;               // of the lines known, at least two of them
  double gangs = 0.5;               // of the gangs that cross a line ...
  std::uint32_t least_gangs = 4;    // ... where so many qualify at once
  Nanoseconds hold = Seconds(600);  // at least so long after the last of it
  bool operator==(const BreakerConfig&) const = default;
};

// What moving costs where neither an annotation nor an observation tells.
struct MovingCostDefaults {
  Nanoseconds checkpoint_age = Seconds(900);
  Nanoseconds checkpoint_write = Seconds(60);
  Nanoseconds restart = Seconds(180);
  Nanoseconds requeue = Seconds(60);
  bool operator==(const MovingCostDefaults&) const = default;
};

struct RelocationConfig {
  Nanoseconds checkpoint_timeout = Seconds(600);  // 0: no checkpoint is asked for
  Nanoseconds begin_timeout = Seconds(300);       // what cannot begin for so long is given up
  Nanoseconds termination_grace = Seconds(120);   // of an evicted pod; 0: the pod's own
  Nanoseconds eviction_patience = Seconds(120);   // then what is left of a gang is deleted
  Nanoseconds follow_timeout = Seconds(1800);     // not running again for so long is stuck
  bool operator==(const RelocationConfig&) const = default;
};

struct MigrationConfig {
  MigrationMode mode = MigrationMode::kDryRun;  // kOff: for all, whatever else is said
  bool opt_in = true;  // a pod's annotation may ask for more than its namespace's mode, too
  std::vector<NamespaceMode> namespaces;
  std::vector<ClassOverride> classes;
  std::vector<LineOverride> lines;
  Nanoseconds interval = Seconds(5);  // between two rounds

  std::uint32_t evidence_samples = 20;
  Nanoseconds evidence_for = Seconds(30);    // how long a line must have been Degraded
  Nanoseconds evidence_stale = Seconds(30);  // older values count as none

  double margin = 0.2;     // moves once paid >= cost x (1 + margin)
  double better_by = 0.1;  // the other place's step is shorter by at least this share
  Nanoseconds reset_after = Seconds(3600);  // well for so long, what was paid is forgotten
  MovingCostDefaults costs;

  Nanoseconds min_runtime = Seconds(900);
  Nanoseconds near_completion = Seconds(900);
  Nanoseconds gang_cooldown = Seconds(3600);
  Nanoseconds destination_cooldown = Seconds(300);
  Nanoseconds exclusion = Seconds(6 * 3600);  // a place left is not taken again for so long
  std::uint32_t gang_moves = 3;               // of one gang within 24 hours
  std::uint32_t retries_left = 2;             // that its owner must still have

  MigrationLimits limits;
  BreakerConfig breaker;
  std::vector<WeeklyWindow> windows;  // none: always
  std::vector<WeeklyWindow> freezes;  // nothing begins in them
  LineThresholds policy;
  Nanoseconds policy_for = Seconds(300);
  RelocationConfig relocation;

  bool operator==(const MigrationConfig&) const = default;
};

// The word of the configuration and of the annotation: "off", "dry-run", "enforce".
constexpr std::string_view MigrationModeName(MigrationMode mode) {
  switch (mode) {
    case MigrationMode::kOff:
      return "off";
    case MigrationMode::kDryRun:
      return "dry-run";
    case MigrationMode::kEnforce:
      return "enforce";
  }
  return "";
}

}  // namespace fairlead
