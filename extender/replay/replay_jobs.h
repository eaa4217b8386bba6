// The gangs that ran while links were recorded.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "extender/gang/move_wishes.h"
#include "extender/placement/placement_request.h"

namespace fairlead::extender {

struct ReplayGang {
  std::string namespace_name;
  std::string name;
  SiteCounts members;             // where it was placed first
  std::optional<WallTime> start;  // absent: before the recording
  std::optional<WallTime> end;    // absent: after it
  MoveWishes wishes;

  std::string Name() const { return namespace_name + "/" + name; }
  bool RunsAt(WallTime at) const { return (!start || *start <= at) && (!end || at < *end); }
};

struct ReplayJobs {
  SiteCounts room;  // members that fit at each site, those of these gangs counted
  std::vector<ReplayGang> gangs;
};

}  // namespace fairlead::extender
