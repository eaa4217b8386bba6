// What is assumed of a recorded link where a file tells its state alone.
#pragma once

#include "extender/replay/link_trace.h"

namespace fairlead::extender {

// Enough fresh samples (600, a minute of ten a second) and nodes; Degraded by a step of the RTT,
// Down by silence.
LinkPoint Assumed(LinkState state);

// A ratio of losses among as many packets.
LossInterval LossOf(double ratio);

}  // namespace fairlead::extender
