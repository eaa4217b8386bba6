// fairlead-deviceplugin: offers this node's HCAs to kubelet. Chooses the command; see daemon.cc for
// the wiring of the daemon.
#include <pthread.h>

#include <csignal>
#include <cstdio>
#include <variant>

#include "common/config/config_watcher.h"
#include "deviceplugin/cli/command_line.h"
#include "deviceplugin/cli/list_node.h"
#include "deviceplugin/daemon.h"

namespace fairlead::deviceplugin {
namespace {

constexpr int kFailed = 1;
constexpr int kBadUsage = 2;

int Fatal(const Error& error) {
  std::fprintf(stderr, "fairlead-deviceplugin: %s\n", error.message.c_str());
  return kFailed;
}

struct Runner {
  const sigset_t& signals;

  int operator()(const DaemonCommand& command) const {
    const Status status = RunDaemon(command, signals);
    return status ? 0 : Fatal(status.error());
  }
  int operator()(const ListCommand& command) const {
    SetLogLevel(LogLevel::kError);
    const auto text = ListNode(command);
    if (!text) return Fatal(text.error());
    std::fputs(text->c_str(), stdout);
    return 0;
  }
  int operator()(const CheckConfigCommand& command) const {
    const auto config = ReadConfigFile(command.config_file);
    if (!config) return Fatal(config.error());
    std::printf("%s: ok\n", command.config_file.c_str());
    return 0;
  }
  int operator()(const HelpCommand&) const {
    std::fputs(HelpText().c_str(), stdout);
    return 0;
  }
  int operator()(const VersionCommand&) const {
    std::puts("fairlead-deviceplugin " FAIRLEAD_VERSION);
    return 0;
  }
};

}  // namespace
}  // namespace fairlead::deviceplugin

int main(int argc, char** argv) {
  using namespace fairlead::deviceplugin;
  const auto command = ParseCommandLine(argc, argv);
  if (!command) {
    std::fprintf(stderr, "fairlead-deviceplugin: %s; see fairlead-deviceplugin --help\n",
                 command.error().message.c_str());
    return kBadUsage;
  }
  // Blocked before the first thread starts, so that each inherits it and only main takes them.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  return std::visit(Runner{signals}, *command);
}
