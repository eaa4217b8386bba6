// What the program was started with.
#pragma once

#include <string>

namespace fairlead::extender {

enum class CommandLineVerdict { kRun, kCheckConfig, kDone, kWrong };

struct CommandLine {
  CommandLineVerdict verdict = CommandLineVerdict::kWrong;
  std::string config_file;
};

// Answers --help and --version on stdout (kDone) and complains of what it does not know on stderr
// (kWrong).
CommandLine ReadCommandLine(int argc, char** argv);

}  // namespace fairlead::extender
