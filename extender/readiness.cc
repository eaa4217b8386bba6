#include "extender/readiness.h"

#include <string>
#include <utility>

namespace fairlead::extender {

Health JudgeReadiness(Health cluster, const ClusterView& view, const RegistryStatus& status,
                      const std::vector<std::string>& troubles,
                      const std::vector<RestartKey>& restart_keys) {
  std::string missing;
  for (const std::string& site : view.sites()) {
    if (!status.connected.contains(site)) missing += " " + site;
  }
  std::string& reason = cluster.reason;
  if (cluster.ok && !missing.empty()) {
    reason +=
        (reason.empty() ? "ok, but no probe is connected from:" : "; no probe is connected from:") +
        missing;
  }
  for (const std::string& trouble : troubles) {
    if (!trouble.empty()) reason += (reason.empty() ? "ok, but " : "; ") + trouble;
  }
  if (reason.empty()) reason = "ok";
  reason = WithPendingKeys(std::move(reason), restart_keys);
  return cluster;
}

}  // namespace fairlead::extender
