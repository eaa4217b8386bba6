#include "linkprobe/cli/command_line.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string_view>
#include <vector>

#include "common/cli/node_daemon.h"
#include "common/units/duration.h"
#include "common/units/number.h"
#include "linkprobe/cli/bandwidth_arguments.h"

namespace fairlead::linkprobe {
namespace {

const OptionRules kAdHocRules{{"key-file", true}, {"transport", true},     {"device", true},
                              {"paths", true},    {"traffic-class", true}, {"verbose", false}};
const OptionRules kPingRules{{"count", true}, {"interval", true}, {"json", false}};
const OptionRules kRespondRules{{"listen", true}};
const OptionRules kDevicesRules{{"json", false}};
const OptionRules kRecordRules{{"out", true}, {"for", true}, {"window", true}, {"interval", true}};
const OptionRules kCompareRules{
    {"json", false}, {"svg", true}, {"confidence", true}, {"seed", true}};

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

// HOST:PORT, with the usual port where there is none.
std::string WithPort(std::string peer) {
  // A bare host, but not a bare IPv6 address, which must be in brackets anyway.
  if (peer.find(':') == std::string::npos || peer.back() == ']') {
    peer += ":" + std::to_string(kAdHocPort);
  }
  return peer;
}

// A duration in least..most; `absent` where the option is not there.
Result<Nanoseconds> DurationArgument(const Arguments& from, const std::string& name,
                                     Nanoseconds absent, Nanoseconds least, Nanoseconds most) {
  if (!from.Has(name)) return absent;
  const auto duration = ParseDuration(from.Get(name));
  if (!duration) return Fail(duration.error().Within("--" + name));
  if (*duration < least || *duration > most) {
    return Fail(ErrorCode::kInvalidArgument, "--" + name + " " + from.Get(name) + " is not in " +
                                                 FormatDuration(least) + ".." +
                                                 FormatDuration(most));
  }
  return *duration;
}

Result<Command> ReadPing(const Arguments& from) {
  if (from.operands.size() != 1) {
    return Fail(ErrorCode::kInvalidArgument, "ping takes one PEER, a host or host:port");
  }
  const auto options = ReadAdHoc(from);
  if (!options) return Fail(options.error());
  PingCommand ping{.options = *options, .peer = WithPort(from.operands.front())};
  const auto count = NumberArgument(from, "count", 0, 1, 1'000'000'000);
  if (!count) return Fail(count.error());
  ping.count = *count;
  const auto interval =
      DurationArgument(from, "interval", ping.interval, Milliseconds(1), Seconds(60));
  if (!interval) return Fail(interval.error());
  ping.interval = *interval;
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
  const auto daemon =
      ReadNodeDaemon(from, "there are ping, respond, devices, bw, advise, record, compare");
  if (!daemon) return Fail(daemon.error());
  if (daemon->check_config) return CheckConfigCommand{.config_file = daemon->config_file};
  return DaemonCommand{.config_file = daemon->config_file,
                       .node_name = daemon->node_name,
                       .log_level = daemon->log_level};
}

Result<Command> ReadBw(const Arguments& from) {
  if (from.operands.size() != 1) {
    return Fail(ErrorCode::kInvalidArgument, "bw takes one PEER, a host or host:port");
  }
  const auto options = ReadAdHoc(from);
  if (!options) return Fail(options.error());
  return ReadBandwidth(from, *options, WithPort(from.operands.front()));
}

Result<Command> ReadAdvice(const Arguments& from) { return ReadAdvise(from); }

Result<Command> ReadDevices(const Arguments& from) {
  if (!from.operands.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "devices takes no operand");
  }
  return DevicesCommand{.json = from.Has("json")};
}

Result<Command> ReadRecord(const Arguments& from) {
  if (from.operands.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "record takes PEERs, each a host or host:port");
  }
  const auto options = ReadAdHoc(from);
  if (!options) return Fail(options.error());
  RecordCommand record;
  record.options = *options;
  for (const std::string& operand : from.operands) {
    const std::string peer = WithPort(operand);
    if (std::find(record.peers.begin(), record.peers.end(), peer) != record.peers.end()) {
      return Fail(ErrorCode::kInvalidArgument, "PEER " + operand + " is named twice");
    }
    record.peers.push_back(peer);
  }
  record.out = from.Get("out");
  if (record.out.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "--out FILE is missing; it must be a new file");
  }
  const auto interval =
      DurationArgument(from, "interval", record.interval, Milliseconds(1), Seconds(6));
  if (!interval) return Fail(interval.error());
  record.interval = *interval;
  // A median of fewer than ten probes is no window's value.
  const auto window =
      DurationArgument(from, "window", std::max(record.window, 10 * *interval),
                       std::max<Nanoseconds>(Seconds(1), 10 * *interval), Seconds(60));
  if (!window) return Fail(window.error());
  record.window = *window;
  const auto length = DurationArgument(from, "for", record.length, *window, Seconds(7 * 86400));
  if (!length) return Fail(length.error());
  record.length = *length;
  return record;
}

Result<Command> ReadCompare(const Arguments& from) {
  if (from.operands.size() != 2) {
    return Fail(ErrorCode::kInvalidArgument, "compare takes two recordings, BEFORE and AFTER");
  }
  CompareCommand compare{.before = from.operands[0], .after = from.operands[1], .svg = {}};
  compare.svg = from.Get("svg");
  compare.json = from.Has("json");
  if (from.Has("confidence")) {
    const auto confidence = ParseRatio(from.Get("confidence"));
    if (!confidence) return Fail(confidence.error().Within("--confidence"));
    if (*confidence < 0.5 || *confidence > 0.9999) {
      return Fail(ErrorCode::kInvalidArgument,
                  "--confidence " + from.Get("confidence") + " is not in 0.5..0.9999");
    }
    compare.confidence = *confidence;
  }
  const auto seed =
      NumberArgument(from, "seed", compare.seed, 0, std::numeric_limits<std::uint64_t>::max());
  if (!seed) return Fail(seed.error());
  compare.seed = *seed;
  return compare;
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
      {"devices", {kDevicesRules, ReadDevices}},
      {"bw", {kAdHocRules + BandwidthRules(), ReadBw}},
      {"advise", {AdviseRules(), ReadAdvice}},
      {"record", {kAdHocRules + kRecordRules, ReadRecord}},
      {"compare", {kCompareRules, ReadCompare}}};
  const auto verb = argc > 1 ? verbs.find(argv[1]) : verbs.end();
  if (verb == verbs.end()) {
    const auto arguments = ReadArguments(argc, argv, NodeDaemonRules());
    return arguments ? ReadDaemon(*arguments) : Fail(arguments.error());
  }
  const auto arguments = ReadArguments(argc - 1, argv + 1, verb->second.rules);
  return arguments ? verb->second.read(*arguments) : Fail(arguments.error());
}

}  // namespace fairlead::linkprobe
