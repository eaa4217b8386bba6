#include "extender/readiness.h"

#include <string>
#include <utility>

namespace fairlead::extender {

namespace {

Health JudgeWhatIsKnown(const Setup& setup, const RegistryStatus& status) {
  if (setup.inventory.size() == 0) {
    return {.ok = false, .reason = "no nodes are known; list them under nodes"};
  }
  std::string missing;
  for (const std::string& site : setup.inventory.sites()) {
    if (status.connected.find(site) == status.connected.end()) missing += " " + site;
  }
  if (missing.empty()) return {.ok = true, .reason = "ok"};
  return {.ok = true, .reason = "ok, but no probe is connected from:" + missing};
}

}  // namespace

Health JudgeReadiness(const Setup& setup, const RegistryStatus& status,
                      const std::vector<RestartKey>& restart_keys) {
  Health health = JudgeWhatIsKnown(setup, status);
  health.reason = WithPendingKeys(std::move(health.reason), restart_keys);
  return health;
}

}  // namespace fairlead::extender
