// Recorded links through the decision about moves, as if it had acted.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/config/migration_config.h"
#include "extender/link/line_catalogue.h"
#include "extender/migration/reason.h"
#include "extender/replay/link_trace.h"
#include "extender/replay/replay_jobs.h"

namespace fairlead::extender {

struct ReplayQuestion {
  const LinkTrace& links;
  const ReplayJobs& jobs;
  const MigrationConfig& config;
  const LineCatalogue& lines;
};

struct ReplayedMove {
  std::size_t gang = 0;  // its place in the jobs
  WallTime at{};
  SiteCounts from;
  SiteCounts to;
  std::vector<SitePair> left;  // lines for whose sake
  bool by_policy = false;
  Nanoseconds paid{};  // by staying so long
  Nanoseconds cost{};  // of the move
  std::string sentence;
};

struct MeterPoint {
  WallTime at{};
  Nanoseconds paid{};
  Nanoseconds threshold{};
};

struct GangRun {
  std::map<MigrationReason, Nanoseconds> time;  // for how long the verdict had this reason
  std::vector<MeterPoint> meter;                // each change of what was paid
};

struct ReplayRun {
  std::vector<ReplayedMove> moves;  // by time
  std::vector<GangRun> gangs;       // as in the jobs
  Nanoseconds round{};              // between two rounds
};

// `dry-run` reads `enforce`, wherever a mode is said; `off` stays.
MigrationConfig Acting(MigrationConfig config);
ReplayJobs Acting(ReplayJobs jobs);

// Between two rounds: the configuration's interval, or where the recording is coarser, its step,
// but no longer than the evidence lasts.
Nanoseconds RoundOfReplay(const LinkTrace& links, const MigrationConfig& config);

// Rounds over the whole recording by the same code that decides in a cluster, on the links as
// recorded. A move that it decides begins at once and succeeds. Modes count as they are: see
// Acting.
ReplayRun Replay(const ReplayQuestion& question);

}  // namespace fairlead::extender
