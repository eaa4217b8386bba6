#include "linkprobe/cli/command_line.h"

#include <map>
#include <string_view>
#include <vector>

#include "common/cli/node_daemon.h"
#include "common/units/duration.h"

namespace fairlead::linkprobe {
namespace {

const OptionRules kAdHocRules{{"key-file", true}, {"transport", true},     {"device", true},
                              {"paths", true},    {"traffic-class", true}, {"verbose", false}};
const OptionRules kPingRules{{"count", true}, {"interval", true}, {"json", false}};
const OptionRules kRespondRules{{"listen", true}};
const OptionRules kDevicesRules{{"json", false}};

Result<AdHocOptions> ReadAdHoc(const Arguments& from) {
  AdHocOptions options;
  options.key_file = from.Get("key-file");
  if (options.key_file.empty()) {
    return Fail(ErrorCode::kInvalidArgument,
                "--key-file is missing; both ends need the same file, made for example by "
                "`openssl rand -hex 32 > key; chmod 600 key`");
  }
  const std::string transport = from.Get("transport", "auto");
  if (transport == "verbs") {
    options.transport = TransportKind::kRdmaUd;
  } else if (transport == "udp") {
    options.transport = TransportKind::kUdp;
  } else if (transport != "auto") {
    return Fail(ErrorCode::kInvalidArgument,
                "--transport " + transport + " is not one of auto, verbs, udp");
  }
  options.device = from.Get("device");
  const auto paths = NumberArgument(from, "paths", 1, 1, 8);
  if (!paths) return Fail(paths.error());
  options.paths = static_cast<std::uint32_t>(*paths);
  const auto traffic_class = NumberArgument(from, "traffic-class", 0, 0, 255);
  if (!traffic_class) return Fail(traffic_class.error());
  options.traffic_class = static_cast<std::uint8_t>(*traffic_class);
  options.verbose = from.Has("verbose");
  return options;
}

Result<Command> ReadPing(const Arguments& from) {
  if (from.operands.size() != 1) {
    return Fail(ErrorCode::kInvalidArgument, "ping takes one PEER, a host or host:port");
  }
  const auto options = ReadAdHoc(from);
  if (!options) return Fail(options.error());
  PingCommand ping{.options = *options, .peer = from.operands.front()};
  // A bare host, but not a bare IPv6 address, which must be in brackets anyway.
  if (ping.peer.find(':') == std::string::npos || ping.peer.back() == ']') {
    ping.peer += ":" + std::to_string(kAdHocPort);
  }
  const auto count = NumberArgument(from, "count", 0, 1, 1'000'000'000);
  if (!count) return Fail(count.error());
  ping.count = *count;
  if (from.Has("interval")) {
    const auto interval = ParseDuration(from.Get("interval"));
    if (!interval) return Fail(interval.error().Within("--interval"));
    if (*interval < Milliseconds(1) || *interval > Seconds(60)) {
      return Fail(ErrorCode::kInvalidArgument,
                  "--interval " + from.Get("interval") + " is not in 1ms..60s");
    }
    ping.interval = *interval;
  }
  ping.json = from.Has("json");
  return ping;
}

Result<Command> ReadRespond(const Arguments& from) {
  if (!from.operands.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "respond takes no operand");
  }
  const auto options = ReadAdHoc(from);
  if (!options) return Fail(options.error());
  return RespondCommand{.options = *options,
                        .listen = from.Get("listen", "0.0.0.0:" + std::to_string(kAdHocPort))};
}

Result<Command> ReadDaemon(const Arguments& from) {
  const auto daemon = ReadNodeDaemon(from, "there are ping, respond, devices");
  if (!daemon) return Fail(daemon.error());
  if (daemon->check_config) return CheckConfigCommand{.config_file = daemon->config_file};
  return DaemonCommand{.config_file = daemon->config_file,
                       .node_name = daemon->node_name,
                       .log_level = daemon->log_level};
}

Result<Command> ReadDevices(const Arguments& from) {
  if (!from.operands.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "devices takes no operand");
  }
  return DevicesCommand{.json = from.Has("json")};
}

}  // namespace

Result<Command> ParseCommandLine(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--help" || argument == "-h" || argument == "help") return HelpCommand{};
    if (argument == "--version") return VersionCommand{};
  }
  struct Verb {
    OptionRules rules;
    Result<Command> (*read)(const Arguments&);
  };
  const std::map<std::string_view, Verb> verbs{
      {"ping", {kAdHocRules + kPingRules, ReadPing}},
      {"respond", {kAdHocRules + kRespondRules, ReadRespond}},
      {"devices", {kDevicesRules, ReadDevices}}};
  const auto verb = argc > 1 ? verbs.find(argv[1]) : verbs.end();
  if (verb == verbs.end()) {
    const auto arguments = ReadArguments(argc, argv, NodeDaemonRules());
    return arguments ? ReadDaemon(*arguments) : Fail(arguments.error());
  }
  const auto arguments = ReadArguments(argc - 1, argv + 1, verb->second.rules);
  return arguments ? verb->second.read(*arguments) : Fail(arguments.error());
}

}  // namespace fairlead::linkprobe
