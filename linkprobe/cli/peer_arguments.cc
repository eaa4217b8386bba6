#include "linkprobe/cli/peer_arguments.h"

#include "common/units/duration.h"
#include "common/units/rate.h"

namespace fairlead::linkprobe {

OptionRules AdHocRules() {
  return {{"key-file", true}, {"transport", true},     {"device", true},
          {"paths", true},    {"traffic-class", true}, {"verbose", false}};
}

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

std::string WithPort(std::string peer) {
  // A bare host, but not a bare IPv6 address, which must be in brackets anyway.
  if (peer.find(':') == std::string::npos || peer.back() == ']') {
    peer += ":" + std::to_string(kAdHocPort);
  }
  return peer;
}

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

Result<std::uint64_t> BytesArgument(const Arguments& from, const std::string& name,
                                    std::uint64_t absent) {
  if (!from.Has(name)) return absent;
  auto bytes = ParseBytes(from.Get(name));
  if (!bytes) return Fail(bytes.error().Within("--" + name));
  if (*bytes == 0) return Fail(ErrorCode::kInvalidArgument, "--" + name + " is 0");
  return bytes;
}

}  // namespace fairlead::linkprobe
