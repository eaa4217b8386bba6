// Access from inside a pod.
#pragma once

#include <string>

#include "common/base/result.h"
#include "common/kube/access.h"
#include "common/kube/proxy_rules.h"

namespace fairlead::kube {

inline constexpr char kServiceAccountDirectory[] = "/var/run/secrets/kubernetes.io/serviceaccount";

struct InClusterPlace {
  std::string host;  // $KUBERNETES_SERVICE_HOST
  std::string port;  // $KUBERNETES_SERVICE_PORT
  std::string directory = kServiceAccountDirectory;
  ProxyEnvironment proxies;  // obeyed as Kubernetes' own clients obey them
};

// Fails, with the remedy, where this is no pod or its service account's token or CA is missing.
Result<Access> InCluster(const InClusterPlace& place);

}  // namespace fairlead::kube
