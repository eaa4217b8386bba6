#include "linkprobe/cli/command_line.h"

#include <limits>
#include <map>
#include <string_view>
#include <vector>

#include "common/cli/node_daemon.h"
#include "common/units/number.h"
#include "linkprobe/cli/bandwidth_arguments.h"
#include "linkprobe/cli/peer_arguments.h"
#include "linkprobe/cli/record_arguments.h"

namespace fairlead::linkprobe {
namespace {

const OptionRules kPingRules{{"count", true}, {"interval", true}, {"json", false}};
const OptionRules kRespondRules{{"listen", true}};
const OptionRules kDevicesRules{{"json", false}};
const OptionRules kCompareRules{
    {"json", false}, {"svg", true}, {"confidence", true}, {"seed", true}};

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

Result<Command> ReadRecording(const Arguments& from) { return ReadRecord(from); }

Result<Command> ReadDevices(const Arguments& from) {
  if (!from.operands.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "devices takes no operand");
  }
  return DevicesCommand{.json = from.Has("json")};
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
      {"ping", {AdHocRules() + kPingRules, ReadPing}},
      {"respond", {AdHocRules() + kRespondRules, ReadRespond}},
      {"devices", {kDevicesRules, ReadDevices}},
      {"bw", {AdHocRules() + BandwidthRules(), ReadBw}},
      {"advise", {AdviseRules(), ReadAdvice}},
      {"record", {AdHocRules() + RecordRules(), ReadRecording}},
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
