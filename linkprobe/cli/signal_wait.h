// Waiting that a signal cuts short.
#pragma once

#include <csignal>

#include "common/base/clock.h"

namespace fairlead::linkprobe {

// Waits for one of `signals`, which are blocked, for at most `wait`; true when one came.
bool SignalWithin(const sigset_t& signals, Nanoseconds wait);

}  // namespace fairlead::linkprobe
