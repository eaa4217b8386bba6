// The clock of every stamp on the wire.
#pragma once

#include <cstdint>

#include "common/base/clock.h"

namespace fairlead::linkprobe {

// Nanoseconds of this host's steady clock, as packets carry them.
inline std::int64_t ToStamp(MonotonicTime time) { return time.time_since_epoch().count(); }

}  // namespace fairlead::linkprobe
