#include "deviceplugin/node/readiness.h"

namespace fairlead::deviceplugin {

Health IsReady(const KubeletStatus& kubelet) {
  if (!kubelet.kubelet_present)
    return {.ok = false, .reason = "kubelet is away: nobody listens on its socket"};
  for (const ResourceStatus& resource : kubelet.resources) {
    if (resource.connected) continue;
    const std::string why = resource.last_error.empty() ? "" : ": " + resource.last_error;
    return {.ok = false, .reason = "kubelet does not read " + resource.resource + why};
  }
  if (kubelet.resources.empty()) return {.ok = false, .reason = "nothing is offered yet"};
  return {.ok = true, .reason = "ok"};
}

}  // namespace fairlead::deviceplugin
