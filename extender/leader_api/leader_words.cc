#include "extender/leader_api/leader_words.h"

namespace fairlead::extender {
namespace {

std::string WhoLeads(const Leadership& leadership, MonotonicTime now) {
  const std::string term = " (term " + std::to_string(leadership.term) + ")";
  if (leadership.LeadsAt(now)) return "leads" + term;
  if (leadership.holder.empty()) return "nobody leads" + term;
  return "follows " + leadership.holder + term;
}

}  // namespace

Health JudgeElection(const Leadership& leadership, const ElectionStatus& status,
                     MonotonicTime now) {
  Health health{.ok = status.heard, .reason = {}};
  health.reason = status.heard ? WhoLeads(leadership, now) : "the Lease has not been read yet";
  for (const std::string* trouble : {&status.lease_trouble, &status.label_trouble}) {
    if (!trouble->empty()) health.reason += "; " + *trouble;
  }
  return health;
}

}  // namespace fairlead::extender
