// The Lease as the API server reads and writes it.
#pragma once

#include <string>
#include <string_view>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "extender/leader/lease_record.h"

namespace fairlead::extender {

// A Lease that the API server has answered with.
struct KnownLease {
  LeaseRecord record;
  std::string resource_version;
  std::string text;  // the whole object
};

// Fields of `spec` that are missing, null or of another type count as not said; kInvalidArgument
// where the text is no object or has no resourceVersion.
Result<KnownLease> ReadLease(std::string text);

// The object to create. `now` is shown to people and judged by nobody.
std::string MakeLease(const std::string& name, const LeaseWrite& write, WallTime now);

// What was read with the write in it; labels, owners and fields that others know stay. Only to be
// called with the text of a ReadLease.
std::string ChangeLease(const KnownLease& known, const LeaseWrite& write, WallTime now);

}  // namespace fairlead::extender
