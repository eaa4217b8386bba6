#include "linkprobe/cli/bandwidth_arguments.h"

#include "common/units/duration.h"
#include "common/units/rate.h"
#include "linkprobe/cli/peer_arguments.h"

namespace fairlead::linkprobe {
namespace {

Result<Nanoseconds> Duration(const Arguments& from, const std::string& name, Nanoseconds absent) {
  if (!from.Has(name)) return absent;
  auto duration = ParseDuration(from.Get(name));
  if (!duration) return Fail(duration.error().Within("--" + name));
  return duration;
}

Result<std::uint64_t> Rate(const Arguments& from) {
  auto rate = ParseRate(from.Get("rate"));
  if (!rate) return Fail(rate.error().Within("--rate"));
  if (*rate == 0) {
    return Fail(ErrorCode::kInvalidArgument,
                "--rate is 0; name what the line can carry, or leave it out");
  }
  return rate;
}

}  // namespace

OptionRules BandwidthRules() {
  return {{"rate", true},      {"line", true}, {"quota", true},  {"ledger", true}, {"qps", true},
          {"max-bytes", true}, {"hold", true}, {"train", false}, {"json", false}};
}

OptionRules AdviseRules() {
  return {{"rtt", true}, {"rate", true},          {"mtu", true},     {"queue", true},
          {"qps", true}, {"send-requests", true}, {"packets", true}, {"json", false}};
}

Result<BandwidthCommand> ReadBandwidth(const Arguments& from, const AdHocOptions& options,
                                       const std::string& peer) {
  BandwidthCommand command{.options = options, .peer = peer};
  command.line = from.Get("line", peer.substr(0, peer.rfind(':')));
  if (command.line.empty() || command.line.find('\n') != std::string::npos) {
    return Fail(ErrorCode::kInvalidArgument, "--line needs a name without a line break");
  }
  if (from.Has("rate")) {
    const auto rate = Rate(from);
    if (!rate) return Fail(rate.error());
    command.declared_bits_per_second = *rate;
  }
  const auto quota = BytesArgument(from, "quota", command.quota_bytes);
  if (!quota) return Fail(quota.error());
  command.quota_bytes = *quota;
  const auto most = BytesArgument(from, "max-bytes", command.quota_bytes);
  if (!most) return Fail(most.error());
  command.most_bytes = *most;
  const auto pairs = NumberArgument(from, "qps", command.queue_pairs, 1, 64);
  if (!pairs) return Fail(pairs.error());
  command.queue_pairs = static_cast<std::uint32_t>(*pairs);
  const auto hold = Duration(from, "hold", command.hold);
  if (!hold) return Fail(hold.error());
  if (*hold < Milliseconds(100) || *hold > Seconds(30)) {
    return Fail(ErrorCode::kInvalidArgument,
                "--hold " + from.Get("hold") + " is not in 100ms..30s");
  }
  command.hold = *hold;
  command.ledger_file = from.Get("ledger");
  command.train = from.Has("train");
  command.json = from.Has("json");
  return command;
}

Result<AdviseCommand> ReadAdvise(const Arguments& from) {
  if (!from.operands.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "advise takes no operand");
  }
  if (!from.Has("rtt") || !from.Has("rate")) {
    return Fail(ErrorCode::kInvalidArgument,
                "advise needs the line's --rtt and --rate, for example --rtt 36ms --rate 100Gbps");
  }
  AdviseCommand command;
  LineFacts& facts = command.facts;
  const auto rtt = Duration(from, "rtt", facts.rtt);
  if (!rtt) return Fail(rtt.error());
  facts.rtt = *rtt;
  const auto rate = Rate(from);
  if (!rate) return Fail(rate.error());
  facts.rate_bits_per_second = *rate;
  const auto queue = Duration(from, "queue", facts.queue);
  if (!queue) return Fail(queue.error());
  if (*queue > Seconds(10)) {
    return Fail(ErrorCode::kInvalidArgument, "--queue " + from.Get("queue") + " is not in 0s..10s");
  }
  facts.queue = *queue;
  struct Number {
    const char* name;
    std::uint32_t* value;
    std::uint64_t most;
  };
  for (const Number& number : {Number{"mtu", &facts.path_mtu_bytes, 65'535},
                               Number{"qps", &facts.limits.queue_pairs, 4'096},
                               Number{"send-requests", &facts.limits.send_requests, 1 << 20},
                               Number{"packets", &facts.limits.unacked_packets, 1 << 23}}) {
    const auto read = NumberArgument(from, number.name, *number.value, 1, number.most);
    if (!read) return Fail(read.error());
    *number.value = static_cast<std::uint32_t>(*read);
  }
  command.json = from.Has("json");
  return command;
}

}  // namespace fairlead::linkprobe
