// Whether a Link's status has changed enough to be written anew.
#pragma once

#include "extender/link_status/link_object.h"

namespace fairlead::extender {

// kState: a state, a reason, the rung, the bandwidth's source, or whether it is reported at all.
// kValue: a value came or went, or moved from what was written: RTT and bandwidth by 10 % and at
// least 0.1 ms, jitter by half and at least 1 ms, loss by half and at least 1e-5.
enum class LinkChange { kNone, kValue, kState };

LinkChange ChangeBetween(const LinkObject& written, const LinkObject& now);

}  // namespace fairlead::extender
