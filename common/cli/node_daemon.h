// How a program that runs on every node is started as its daemon.
#pragma once

#include <string>
#include <string_view>

#include "common/base/result.h"
#include "common/cli/arguments.h"

namespace fairlead {

struct NodeDaemonArguments {
  std::string config_file;
  std::string node_name;  // empty only with check_config
  LogLevel log_level = LogLevel::kInfo;
  bool check_config = false;  // say what is wrong with the file and end
};

// --config, --node-name, --log-level, --check-config.
OptionRules NodeDaemonRules();

// kInvalidArgument says what is missing or wrong. `commands` tells what could have been meant by an
// operand: "there is list".
Result<NodeDaemonArguments> ReadNodeDaemon(const Arguments& from, std::string_view commands);

}  // namespace fairlead
