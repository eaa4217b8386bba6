#include "common/metrics/reload_families.h"

#include <string>

namespace fairlead {

void AddReloadFamilies(const ReloadStats& reloads, FamilySet& out) {
  constexpr char kReloads[] = "Changed config files that were read while running.";
  out.Counter("config_reloads_total", kReloads, {{"result", "applied"}},
              static_cast<double>(reloads.successes));
  out.Counter("config_reloads_total", kReloads, {{"result", "refused"}},
              static_cast<double>(reloads.failures));
  for (const RestartKey& key : reloads.restart_keys) {
    out.Gauge("config_restart_needed",
              "1 for a changed configuration key that takes effect at the next start only.",
              {{"key", std::string(key.key)}}, key.pending ? 1 : 0);
  }
}

}  // namespace fairlead
