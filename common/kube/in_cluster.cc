#include "common/kube/in_cluster.h"

#include "common/base/file.h"
#include "common/kube/server_url.h"
#include "common/net/token_source.h"

namespace fairlead::kube {
namespace {

constexpr std::size_t kMostBytes = 1U << 20;

tl::unexpected<Error> NoAccount(const Error& error) {
  return Fail(Error{error.code, error.message + "; the pod needs its service account's files: set "
                                                "automountServiceAccountToken: true"});
}

}  // namespace

Result<Access> InCluster(const InClusterPlace& place) {
  if (place.host.empty() || place.port.empty()) {
    return Fail(ErrorCode::kInvalidArgument,
                "KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set, so this is no "
                "pod; name a kubeconfig file");
  }
  const bool v6 = place.host.find(':') != std::string::npos && !place.host.starts_with('[');
  const Result<ServerUrl> url =
      ParseServerUrl("https://" + (v6 ? "[" + place.host + "]" : place.host) + ":" + place.port);
  if (!url) return Fail(url.error());
  Access access;
  access.server = url->Text();
  access.token_file = place.directory + "/token";
  access.ca_file = place.directory + "/ca.crt";
  access.proxy = ProxyFor(url->scheme, url->host, url->port, place.proxies);
  if (const auto token = TokenSource(access.token_file).Read(); !token) {
    return NoAccount(token.error());
  }
  if (const auto ca = ReadFile(access.ca_file, kMostBytes); !ca) return NoAccount(ca.error());
  const auto name = ReadFile(place.directory + "/namespace", 1024);
  access.namespace_name = name && !name->empty() ? *name : "default";
  return access;
}

}  // namespace fairlead::kube
