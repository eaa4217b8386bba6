#include "deviceplugin/cli/command_line.h"

#include <string_view>

#include "common/cli/node_daemon.h"

namespace fairlead::deviceplugin {
namespace {

const OptionRules kRootRule{{"root", true}};
const OptionRules kListRules{{"config", true}, {"root", true}, {"json", false}, {"pods", false}};

Result<Command> ReadDaemon(const Arguments& from) {
  const auto daemon = ReadNodeDaemon(from, "there are list and doctor");
  if (!daemon) return Fail(daemon.error());
  if (daemon->check_config) return CheckConfigCommand{.config_file = daemon->config_file};
  return DaemonCommand{.config_file = daemon->config_file,
                       .node_name = daemon->node_name,
                       .root = from.Get("root"),
                       .log_level = daemon->log_level};
}

Result<Command> ReadList(const Arguments& from) {
  if (!from.operands.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "list takes no operand");
  }
  return ListCommand{.config_file = from.Get("config"),
                     .root = from.Get("root"),
                     .json = from.Has("json"),
                     .pods = from.Has("pods")};
}

}  // namespace

Result<Command> ParseCommandLine(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--help" || argument == "-h" || argument == "help") return HelpCommand{};
    if (argument == "--version") return VersionCommand{};
  }
  if (argc > 1 && std::string_view(argv[1]) == "doctor") {
    return ReadDoctorCommand(argc - 1, argv + 1).map([](DoctorCommand command) -> Command {
      return command;
    });
  }
  const bool list = argc > 1 && std::string_view(argv[1]) == "list";
  const auto arguments = list ? ReadArguments(argc - 1, argv + 1, kListRules)
                              : ReadArguments(argc, argv, NodeDaemonRules() + kRootRule);
  if (!arguments) return Fail(arguments.error());
  return list ? ReadList(*arguments) : ReadDaemon(*arguments);
}

std::string HelpText() {
  return R"(fairlead-deviceplugin: offers this node's HCAs to kubelet, each with the settings that fit it.

  fairlead-deviceplugin --config FILE --node-name NAME [--root DIR] [--log-level debug|info|warning|error]
      Run as a daemon: find HCAs and GPUs, watch their health, offer them to kubelet as the pools of
      the configuration say, serve /metrics.

  fairlead-deviceplugin --config FILE --check-config
      Only say what is wrong with the configuration; exit 0 where nothing is, else 1.

  fairlead-deviceplugin list [--config FILE] [--json] [--pods] [--root DIR]
      List HCAs, ports and GIDs with their rank, the pools that have each HCA or why none has, and
      what is offered. --pods asks kubelet which pod holds what. Without --config the defaults hold.

)" + DoctorHelp() +
         R"(
  --root DIR   where the host's /sys and /dev are found; left out: /

  fairlead-deviceplugin --help | --version
)";
}

}  // namespace fairlead::deviceplugin
