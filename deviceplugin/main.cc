// fairlead-deviceplugin: offers this node's HCAs to kubelet. Chooses the command; see daemon.cc for
// the wiring of the daemon.
#include <cerrno>
#include <cstdio>
#include <string>

#include "common/base/errno_text.h"
#include "common/cli/run_command.h"
#include "common/config/config_watcher.h"
#include "common/net/grpc_log.h"
#include "deviceplugin/cli/command_line.h"
#include "deviceplugin/cli/list_node.h"
#include "deviceplugin/daemon.h"
#include "deviceplugin/doctor_cli/run_doctor.h"

namespace fairlead::deviceplugin {
namespace {

int Fatal(const Error& error) {
  std::fprintf(stderr, "fairlead-deviceplugin: %s\n", error.message.c_str());
  return kExitFailed;
}

int Print(const std::string& text) {
  if (std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0) return 0;
  return Fatal(SystemError(errno, "write to the standard output"));
}

struct Runner {
  int operator()(const DaemonCommand& command) const {
    // Only here: whoever lists can end it as ever, should a driver hang.
    const sigset_t signals = BlockTermination();
    const Status status = RunDaemon(command, signals);
    return status ? 0 : Fatal(status.error());
  }
  int operator()(const ListCommand& command) const {
    SetLogLevel(LogLevel::kError);
    const auto text = ListNode(command);
    if (!text) return Fatal(text.error());
    return Print(*text);
  }
  int operator()(const DoctorCommand& command) const {
    SetLogLevel(LogLevel::kError);
    const auto output = RunDoctor(command);
    if (!output) return Fatal(output.error());
    const int printed = Print(output->text);
    return printed == 0 ? output->exit_status : printed;
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
  fairlead::RouteGrpcLog();
  return fairlead::RunCommand("fairlead-deviceplugin", ParseCommandLine(argc, argv), Runner{});
}
