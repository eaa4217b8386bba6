// Which of the plans that arrive is in force.
#pragma once

#include "linkprobe/session/plan.h"

namespace fairlead::linkprobe {

enum class PlanVerdict {
  kNewer,      // to be followed
  kSame,       // of this term and revision already
  kStaleTerm,  // from a leader that has been replaced
  kStaleRevision,
};

// A higher term always wins; within a term a higher revision. `current` may be no plan yet. Pure.
inline PlanVerdict JudgePlan(const Plan& current, const Plan& arrived) {
  if (!current.received() || arrived.term > current.term) return PlanVerdict::kNewer;
  if (arrived.term < current.term) return PlanVerdict::kStaleTerm;
  if (arrived.revision > current.revision) return PlanVerdict::kNewer;
  return arrived.revision == current.revision ? PlanVerdict::kSame : PlanVerdict::kStaleRevision;
}

}  // namespace fairlead::linkprobe
