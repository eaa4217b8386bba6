#include "linkprobe/cli/check_config.h"

#include "common/config/config_watcher.h"
#include "common/config/names.h"
#include "common/config/problems.h"
#include "common/net/tls_check.h"
#include "common/net/token_source.h"

namespace fairlead::linkprobe {

Status CheckConfigFile(const std::string& path) {
  const auto located = ReadLocatedConfigFile(path);
  if (!located) return Fail(located.error());
  const LinkprobeConfig& own = located->config.linkprobe;
  Problems problems;
  CheckTlsFiles(*located, problems);
  CheckSecurity(*located, "linkprobe.sessionListen", FormatListenAddress(own.session_listen),
                problems);
  constexpr char kExtender[] = "linkprobe.extender";
  if (own.extender_address.empty()) {
    problems.Add(located->lines.Of(kExtender), kExtender,
                 "is missing; write host:port of the extender's grpcListen");
  } else {
    CheckSecurity(*located, kExtender, own.extender_address, problems);
  }
  constexpr char kToken[] = "linkprobe.tokenFile";
  if (const auto token = TokenSource(own.token_file).Read(); !token) {
    problems.Add(located->lines.Of(kToken), kToken, token.error().message);
  }
  if (problems.empty()) return {};
  return Fail(problems.ToError(ConfigFileName(path)));
}

}  // namespace fairlead::linkprobe
