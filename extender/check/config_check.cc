#include "extender/check/config_check.h"

#include "common/base/file.h"
#include "common/config/config_watcher.h"
#include "common/config/names.h"
#include "common/config/problems.h"
#include "common/kube/api_connection.h"
#include "common/net/tls_check.h"
#include "common/net/token_source.h"
#include "extender/promql_api/promql_poller.h"
#include "extender/registry/token_directory.h"

namespace fairlead::extender {

namespace {

void CheckPrometheus(const LocatedConfig& located, Problems& problems) {
  const PrometheusConfig& prometheus = located.config.extender.prometheus;
  if (prometheus.url.empty()) return;
  const auto complain = [&](const char* key, const std::string& what) {
    problems.Add(located.lines.Of(key), key, what);
  };
  const SystemClock clock;
  const auto connection = kube::ApiConnection::Create(AccessOf(prometheus), "check", clock);
  if (!connection) complain("extender.prometheus.url", connection.error().message);
  if (!prometheus.token_file.empty()) {
    const auto token = TokenSource(prometheus.token_file).Read();
    if (!token) complain("extender.prometheus.tokenFile", token.error().message);
  }
  if (!prometheus.ca_file.empty()) {
    const auto ca = ReadFile(prometheus.ca_file, 1U << 20);
    if (!ca) complain("extender.prometheus.caFile", ca.error().message);
  }
}

}  // namespace

Status CheckConfigFile(const std::string& path) {
  const auto located = ReadLocatedConfigFile(path);
  if (!located) return Fail(located.error());
  const ExtenderConfig& own = located->config.extender;
  Problems problems;
  CheckTlsFiles(*located, problems);
  CheckSecurity(*located, "extender.httpListen", FormatListenAddress(own.http_listen), problems);
  CheckSecurity(*located, "extender.grpcListen", FormatListenAddress(own.grpc_listen), problems);
  if (own.kubernetes.source == ClusterSource::kStandalone) {  // else the API server reviews tokens
    const SystemClock clock;
    constexpr char kTokens[] = "extender.tokenDirectory";
    for (const std::string& fault : TokenDirectory(own.token_directory, clock).Faults()) {
      problems.Add(located->lines.Of(kTokens), kTokens, fault);
    }
  }
  CheckPrometheus(*located, problems);
  if (problems.empty()) return {};
  return Fail(problems.ToError(ConfigFileName(path)));
}

}  // namespace fairlead::extender
