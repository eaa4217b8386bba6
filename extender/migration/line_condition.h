// What is known of a line, as far as it decides whether a gang leaves it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "common/base/clock.h"
#include "common/config/migration_config.h"
#include "common/link/link_state.h"

namespace fairlead::extender {

// A line by its two sites, sorted; both the same for a site's inside.
using SitePair = std::pair<std::string, std::string>;

// Of both directions the worse.
struct LineCondition {
  SitePair line;
  LinkState state = LinkState::kUnknown;
  LinkReason reason = LinkReason::kNoData;
  Nanoseconds state_age{};         // how long this state has stood
  std::uint64_t samples = 0;       // behind it
  std::optional<Nanoseconds> age;  // of the newest of them
  std::uint32_t quorum = 0;        // nodes that must agree
  std::uint32_t agreeing = 0;      // nodes that do
};

// How far a line's condition is known.
enum class LineJudgement {
  kStale,     // nothing fresh, or nothing that is judged
  kWell,      // fresh, and Healthy
  kDoubtful,  // Suspect, waiting out a dwell time, or not the line's own fault
  kThin,      // bad, but by too few samples, nodes or seconds
  kBad,       // Degraded or Down by fresh and sufficient evidence
};

LineJudgement JudgeLine(const LineCondition& line, const MigrationConfig& config);

// "hk-sg", or "the inside of hk".
std::string LineText(const SitePair& line);

}  // namespace fairlead::extender
