// From a command line to an exit status.
#pragma once

#include <csignal>
#include <cstdio>
#include <variant>

#include "common/base/result.h"

namespace fairlead {

inline constexpr int kExitFailed = 1;
inline constexpr int kExitBadUsage = 2;

// SIGTERM, SIGINT and, unless it is ignored as nohup(1) has it, SIGHUP, blocked in the calling
// thread and in every thread that it starts from now on, so that only who waits for the set takes
// them; SIGPIPE is ignored. Call it before any thread is started.
sigset_t BlockTermination();

// Runs what the command line says, a variant of commands, with a call of `runner` for each. A
// command line that cannot be read is told and is exit status 2.
template <class Command, class Runner>
int RunCommand(const char* program, const Result<Command>& command, const Runner& runner) {
  if (command) return std::visit(runner, *command);
  std::fprintf(stderr, "%s: %s; see %s --help\n", program, command.error().message.c_str(),
               program);
  return kExitBadUsage;
}

}  // namespace fairlead
