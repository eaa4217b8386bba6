#include "deviceplugin/node/readiness.h"

namespace fairlead::deviceplugin {

Health IsReady(const KubeletStatus& kubelet, const std::string& file_trouble) {
  if (!kubelet.kubelet_present)
    return {.ok = false,
            .reason = kubelet.plugins_registry
                          ? "kubelet is away: its directory plugins_registry is not there"
                          : "kubelet is away: nobody listens on its socket"};
  for (const ResourceStatus& resource : kubelet.resources) {
    if (resource.connected) continue;
    const std::string why = resource.last_error.empty() ? "" : ": " + resource.last_error;
    return {.ok = false, .reason = "kubelet does not read " + resource.resource + why};
  }
  if (kubelet.resources.empty()) return {.ok = false, .reason = "nothing is offered yet"};
  if (!file_trouble.empty()) return {.ok = false, .reason = file_trouble};
  return {.ok = true, .reason = "ok"};
}

}  // namespace fairlead::deviceplugin
