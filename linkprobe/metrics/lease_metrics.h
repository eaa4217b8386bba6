// The series about bandwidth tests that the extender grants.
#pragma once

#include <cstdint>
#include <string>

#include "common/base/clock.h"
#include "common/metrics/family_set.h"
#include "linkprobe/bandwidth/lease_book.h"

namespace fairlead::linkprobe {

// `site` is this node's, `day` today's since 1970-01-01 UTC.
void AddLeaseMetrics(const LeaseBook& book, const std::string& site, std::int64_t day,
                     MonotonicTime now, FamilySet& out);

}  // namespace fairlead::linkprobe
