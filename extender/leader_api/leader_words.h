// Who leads, in words for /readyz.
#pragma once

#include <string>

#include "common/base/clock.h"
#include "common/ops/ops_server.h"
#include "extender/leader/leadership.h"
#include "extender/leader_api/election_status.h"

namespace fairlead::extender {

// Ready as soon as the Lease has been seen once: a follower is ready, or no rollout would end. The
// reason says who leads and what is wrong with the Lease or the label. Pure.
Health JudgeElection(const Leadership& leadership, const ElectionStatus& status, MonotonicTime now);

}  // namespace fairlead::extender
