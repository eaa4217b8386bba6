// What the program was asked to do.
#pragma once

#include <string>
#include <variant>

#include "common/base/result.h"
#include "extender/check/scheduler_check.h"
#include "extender/replay_file/replay_command.h"
#include "extender/scheduler_config/print_config.h"

namespace fairlead::extender {

struct ServeCommand {
  std::string config_file;
  std::string pod;  // this replica's, for the election; empty: there is none
};

struct CheckConfigCommand {
  std::string config_file;
};

struct HelpCommand {};
struct VersionCommand {};

using Command = std::variant<ServeCommand, CheckConfigCommand, SchedulerConfigWish,
                             SchedulerCheckWish, ReplayWish, HelpCommand, VersionCommand>;

// kInvalidArgument says which argument is wrong. Not thread-safe (getopt).
Result<Command> ParseCommandLine(int argc, char** argv);

// What --help prints.
std::string HelpText();

}  // namespace fairlead::extender
