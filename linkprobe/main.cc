// fairlead-linkprobe: measures the lines between sites. Chooses the command; see daemon.cc for the
// wiring of the daemon.
#include <cstdio>

#include "common/base/log.h"
#include "common/cli/run_command.h"
#include "common/net/grpc_log.h"
#include "linkprobe/cli/advise.h"
#include "linkprobe/cli/bandwidth.h"
#include "linkprobe/cli/check_config.h"
#include "linkprobe/cli/command_line.h"
#include "linkprobe/cli/compare.h"
#include "linkprobe/cli/devices.h"
#include "linkprobe/cli/ping.h"
#include "linkprobe/cli/record.h"
#include "linkprobe/cli/respond.h"
#include "linkprobe/daemon.h"

namespace fairlead::linkprobe {
namespace {

int Fatal(const Error& error, int code = kExitFailed) {
  std::fprintf(stderr, "fairlead-linkprobe: %s\n", error.message.c_str());
  return code;
}

int ExitCode(const Status& status) {
  if (status) return 0;
  return Fatal(status.error(),
               status.error().code == ErrorCode::kInvalidArgument ? kExitBadUsage : kExitFailed);
}

// A command that ran, and whether it found what it was for.
int FoundCode(const Result<bool>& found) {
  if (!found) return ExitCode(Status(Fail(found.error())));
  return *found ? 0 : kExitFailed;
}

void SetVerbosity(const AdHocOptions& options) {
  SetLogLevel(options.verbose ? LogLevel::kDebug : LogLevel::kError);
}

struct Runner {
  const sigset_t& signals;

  int operator()(const DaemonCommand& command) const {
    return ExitCode(RunDaemon(command, signals));
  }
  int operator()(const CheckConfigCommand& command) const {
    const Status checked = CheckConfigFile(command.config_file);
    if (!checked) return Fatal(checked.error());
    std::printf("%s: ok\n", command.config_file.c_str());
    return 0;
  }
  int operator()(const PingCommand& command) const {
    SetVerbosity(command.options);
    return FoundCode(RunPing(command, signals));
  }
  int operator()(const RespondCommand& command) const {
    SetVerbosity(command.options);
    return ExitCode(RunRespond(command, signals));
  }
  int operator()(const DevicesCommand& command) const {
    const auto devices = ReadRdmaDevices();
    if (!devices) return Fatal(devices.error());
    std::fputs(DescribeDevices(*devices, command.json).c_str(), stdout);
    return 0;
  }
  int operator()(const RecordCommand& command) const {
    SetVerbosity(command.options);
    return FoundCode(RunRecord(command, FAIRLEAD_VERSION, signals));
  }
  int operator()(const CompareCommand& command) const { return FoundCode(RunCompare(command)); }
  int operator()(const BandwidthCommand& command) const {
    SetVerbosity(command.options);
    return FoundCode(RunBandwidth(command, signals));
  }
  int operator()(const AdviseCommand& command) const {
    const auto advice = DescribeAdvice(command);
    if (!advice) return ExitCode(Status(Fail(advice.error())));
    std::fputs(advice->c_str(), stdout);
    return 0;
  }
  int operator()(const HelpCommand&) const {
    std::fputs(HelpText().c_str(), stdout);
    return 0;
  }
  int operator()(const VersionCommand&) const {
    std::puts("fairlead-linkprobe " FAIRLEAD_VERSION);
    return 0;
  }
};

}  // namespace
}  // namespace fairlead::linkprobe

int main(int argc, char** argv) {
  using namespace fairlead::linkprobe;
  const sigset_t signals = fairlead::BlockTermination();
  fairlead::RouteGrpcLog();
  return fairlead::RunCommand("fairlead-linkprobe", ParseCommandLine(argc, argv), Runner{signals});
}
