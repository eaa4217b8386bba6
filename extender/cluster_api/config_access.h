// The API server that the configuration names.
#pragma once

#include <optional>

#include "common/base/result.h"
#include "common/config/config.h"
#include "common/kube/access.h"

namespace fairlead::extender {

// Nothing with mode standalone. Reads the kubeconfig, or what Kubernetes puts into a pod, and the
// environment's proxies. Errors name the key or what the pod lacks.
Result<std::optional<kube::Access>> AccessOf(const KubernetesConfig& config);

}  // namespace fairlead::extender
