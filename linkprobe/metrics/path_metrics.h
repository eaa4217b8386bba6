// The series of one path to one peer.
#pragma once

#include <string>

#include "common/base/clock.h"
#include "common/metrics/family_set.h"
#include "linkprobe/engine/engine_snapshot.h"

namespace fairlead::linkprobe {

// Adds the path's series, labelled src_site, dst_site, peer, path and transport (the rung). What is
// not known has no series. `now` and `wall_now` are one instant.
void AddPathMetrics(const PathStatus& path, const std::string& src_site, MonotonicTime now,
                    WallTime wall_now, FamilySet& families);

}  // namespace fairlead::linkprobe
