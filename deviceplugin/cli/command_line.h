// What the program was asked to do.
#pragma once

#include <string>
#include <variant>

#include "common/base/log.h"
#include "common/base/result.h"
#include "deviceplugin/doctor_cli/doctor_command.h"

namespace fairlead::deviceplugin {

struct DaemonCommand {
  std::string config_file;
  std::string node_name;
  std::string root;  // where the host's /sys and /dev are: "" on the host itself
  LogLevel log_level = LogLevel::kInfo;
};

struct ListCommand {
  std::string config_file;  // empty: the defaults
  std::string root;
  bool json = false;
  bool pods = false;  // also which pod holds what
};

struct CheckConfigCommand {
  std::string config_file;
};

struct HelpCommand {};
struct VersionCommand {};

using Command = std::variant<DaemonCommand, ListCommand, DoctorCommand, CheckConfigCommand,
                             HelpCommand, VersionCommand>;

// kInvalidArgument says which argument is wrong. Not thread-safe (getopt).
Result<Command> ParseCommandLine(int argc, char** argv);

// What --help prints.
std::string HelpText();

}  // namespace fairlead::deviceplugin
