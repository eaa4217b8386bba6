#include "common/cli/node_daemon.h"

namespace fairlead {

OptionRules NodeDaemonRules() {
  return {{"config", true}, {"node-name", true}, {"log-level", true}, {"check-config", false}};
}

Result<NodeDaemonArguments> ReadNodeDaemon(const Arguments& from, std::string_view commands) {
  if (!from.operands.empty()) {
    return Fail(ErrorCode::kInvalidArgument,
                "\"" + from.operands.front() + "\" is no command; " + std::string(commands));
  }
  NodeDaemonArguments daemon{.config_file = from.Get("config"),
                             .node_name = from.Get("node-name"),
                             .check_config = from.Has("check-config")};
  if (daemon.config_file.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "--config FILE is missing");
  }
  if (!daemon.check_config && daemon.node_name.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "--node-name NAME is missing");
  }
  const auto level = LogLevelArgument(from);
  if (!level) return Fail(level.error());
  daemon.log_level = *level;
  return daemon;
}

}  // namespace fairlead
