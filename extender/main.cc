// fairlead-extender: ranks nodes for schedulers from measured links. Chooses the command; see
// serve.cc for the wiring of the service.
#include <malloc.h>

#include <cerrno>
#include <cstdio>
#include <string>

#include "common/base/errno_text.h"
#include "common/cli/run_command.h"
#include "extender/check/config_check.h"
#include "extender/command_line.h"
#include "extender/serve.h"

namespace fairlead::extender {
namespace {

int Fatal(const Error& error, int status = kExitFailed) {
  std::fprintf(stderr, "fairlead-extender: %s\n", error.message.c_str());
  return status;
}

int PrintOut(const std::string& text, int status) {
  if (std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0) return status;
  return Fatal(SystemError(errno, "write to the standard output"));
}

struct Runner {
  int operator()(const ServeCommand& command) const {
    const Status served = Serve(command.config_file, command.pod, BlockTermination());
    return served ? 0 : Fatal(served.error());
  }
  int operator()(const CheckConfigCommand& command) const {
    const Status checked = CheckConfigFile(command.config_file);
    return checked ? PrintOut(command.config_file + ": ok\n", 0) : Fatal(checked.error());
  }
  int operator()(const SchedulerConfigWish& wish) const {
    const auto text = PrintSchedulerConfig(wish);
    return text ? PrintOut(*text, 0) : Fatal(text.error(), kExitBadUsage);
  }
  int operator()(const SchedulerCheckWish& wish) const {
    const auto result = CheckSchedulerConfig(wish);
    if (!result) return Fatal(result.error(), kExitBadUsage);
    return PrintOut(result->text, result->all_right ? 0 : kExitFailed);
  }
  int operator()(const ReplayWish& wish) const {
    const auto text = RunReplay(wish);
    return text ? PrintOut(*text, 0) : Fatal(text.error());
  }
  int operator()(const HelpCommand&) const { return PrintOut(HelpText(), 0); }
  int operator()(const VersionCommand&) const {
    return PrintOut("fairlead-extender " FAIRLEAD_VERSION "\n", 0);
  }
};

}  // namespace
}  // namespace fairlead::extender

int main(int argc, char** argv) {
  // Bodies of tens of megabytes come now and then, on any of many threads. By itself the allocator
  // would keep what the largest ones took, for each thread.
  mallopt(M_MMAP_THRESHOLD, 256 * 1024);
  mallopt(M_ARENA_MAX, 4);
  return fairlead::RunCommand("fairlead-extender", fairlead::extender::ParseCommandLine(argc, argv),
                              fairlead::extender::Runner{});
}
