// What a Link object of the API server tells of a pair of sites, before it has points in time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/link/link_state.h"
#include "extender/link/line_rate.h"
#include "extender/link/link_view.h"

namespace fairlead::extender {

// One direction. Optionals are absent while not known.
struct LinkWay {
  std::string from;
  std::string to;
  LinkState state = LinkState::kUnknown;
  LinkReason reason = LinkReason::kNoData;
  std::string evidence;
  std::optional<Nanoseconds> state_age;
  std::optional<TransportRung> rung;
  std::optional<Nanoseconds> rtt_p50;
  std::optional<Nanoseconds> rtt_p99;
  std::optional<Nanoseconds> jitter;      // of this direction
  std::optional<double> loss;             // of this direction, a ratio
  std::optional<LineRate> bandwidth;      // what the line carries
  std::optional<Nanoseconds> report_age;  // of the newest report; absent: none is fresh
};

struct LinkObject {
  std::string name;
  LinkWay forward;  // from the site whose name sorts first
  LinkWay reverse;
};

// One for each pair of different sites, sorted by name. A direction that the snapshot lacks is
// unknown. Pure.
std::vector<LinkObject> LinkObjectsOf(const LinkSnapshot& links);

// The direction by which the pair is judged: Down before Degraded, Suspect, Unknown and Healthy, so
// that a pair is Healthy only where both directions are; of two alike the one that is so longer.
const LinkWay& WorseWay(const LinkObject& object);

// Whether both directions are reported now.
inline bool IsFresh(const LinkObject& object) {
  return object.forward.report_age && object.reverse.report_age;
}

}  // namespace fairlead::extender
