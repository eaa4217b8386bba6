#include "extender/check/config_check.h"

#include "common/config/config_watcher.h"
#include "common/config/names.h"
#include "common/config/problems.h"
#include "common/net/tls_check.h"
#include "extender/registry/token_directory.h"

namespace fairlead::extender {

Status CheckConfigFile(const std::string& path) {
  const auto located = ReadLocatedConfigFile(path);
  if (!located) return Fail(located.error());
  const ExtenderConfig& own = located->config.extender;
  Problems problems;
  CheckTlsFiles(*located, problems);
  CheckSecurity(*located, "extender.httpListen", FormatListenAddress(own.http_listen), problems);
  CheckSecurity(*located, "extender.grpcListen", FormatListenAddress(own.grpc_listen), problems);
  const SystemClock clock;
  constexpr char kTokens[] = "extender.tokenDirectory";
  for (const std::string& fault : TokenDirectory(own.token_directory, clock).Faults()) {
    problems.Add(located->lines.Of(kTokens), kTokens, fault);
  }
  if (problems.empty()) return {};
  return Fail(problems.ToError(ConfigFileName(path)));
}

}  // namespace fairlead::extender
