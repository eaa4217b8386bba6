#include "extender/cluster_api/config_access.h"

#include <cstdlib>
#include <string>

#include "common/kube/in_cluster.h"
#include "common/kube/kubeconfig.h"
#include "common/kube/proxy_rules.h"

namespace fairlead::extender {
namespace {

std::string Variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

std::string Either(const char* upper, const char* lower) {
  std::string value = Variable(upper);
  return value.empty() ? Variable(lower) : value;
}

}  // namespace

Result<std::optional<kube::Access>> AccessOf(const KubernetesConfig& config) {
  kube::ProxyEnvironment proxies;
  proxies.https_proxy = Either("HTTPS_PROXY", "https_proxy");
  proxies.http_proxy = Either("HTTP_PROXY", "http_proxy");
  proxies.no_proxy = Either("NO_PROXY", "no_proxy");
  Result<kube::Access> access;
  switch (config.source) {
    case ClusterSource::kStandalone:
      return std::nullopt;
    case ClusterSource::kKubeconfig:
      access = kube::ReadKubeconfig(config.kubeconfig, config.context, proxies);
      if (!access) return Fail(access.error().Within("extender.kubernetes.kubeconfig"));
      break;
    case ClusterSource::kInCluster: {
      kube::InClusterPlace place;
      place.host = Variable("KUBERNETES_SERVICE_HOST");
      place.port = Variable("KUBERNETES_SERVICE_PORT");
      place.proxies = proxies;
      access = kube::InCluster(place);
      if (!access) return Fail(access.error().Within("extender.kubernetes.mode"));
      break;
    }
  }
  return *std::move(access);
}

}  // namespace fairlead::extender
