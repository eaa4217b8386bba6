// What the program was asked to do.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "common/base/clock.h"
#include "common/base/log.h"
#include "common/base/result.h"
#include "linkprobe/advice/window_advice.h"
#include "linkprobe/transport/endpoint.h"

namespace fairlead::linkprobe {

inline constexpr std::uint16_t kAdHocPort = 7473;

struct DaemonCommand {
  std::string config_file;
  std::string node_name;
  LogLevel log_level = LogLevel::kInfo;
};

struct CheckConfigCommand {
  std::string config_file;
};

// How the commands by hand carry their packets.
struct AdHocOptions {
  std::string key_file;
  std::optional<TransportKind> transport;  // nothing: verbs where it works, else UDP
  std::string device;                      // empty: the best usable one
  std::uint32_t paths = 1;
  std::uint8_t traffic_class = 0;
  bool verbose = false;
};

struct PingCommand {
  AdHocOptions options;
  std::string peer;         // host:port of the peer's `respond`
  std::uint64_t count = 0;  // probes to send; 0: until interrupted
  Nanoseconds interval = Milliseconds(500);
  bool json = false;
};

struct RespondCommand {
  AdHocOptions options;
  std::string listen;  // host:port
};

struct DevicesCommand {
  bool json = false;
};

// Bandwidth tests in between, with each peer in turn.
struct RecordedTests {
  Nanoseconds every{};
  bool saturate = false;                      // instead of dispersion trains
  std::uint64_t quota_bytes = 2'000'000'000;  // of a line and day
  std::string ledger_file{};                  // empty: the usual one
};

// Of `peers` and `from` one is set.
struct RecordCommand {
  AdHocOptions options;
  std::vector<std::string> peers;  // host:port of each one's `respond`
  std::string from{};              // URL of an extender that tells what its probes measure
  std::string ca_file{};           // of that URL; empty: what this host trusts
  std::optional<RecordedTests> tests{};
  std::string out;
  Nanoseconds length = Seconds(600);
  Nanoseconds window = Seconds(5);
  Nanoseconds interval = Milliseconds(100);
};

struct CompareCommand {
  std::string before;
  std::string after;
  std::string svg;  // empty: no picture
  bool json = false;
  double confidence = 0.95;
  std::uint64_t seed = 1;
};

struct BandwidthCommand {
  AdHocOptions options;
  std::string peer;                                         // host:port of the peer's `respond`
  std::string line{};                                       // whose quota counts
  std::optional<std::uint64_t> declared_bits_per_second{};  // of the line
  std::uint64_t quota_bytes = 2'000'000'000;                // of the line and day
  std::uint64_t most_bytes = 0;                             // of this test
  std::string ledger_file{};                                // empty: the usual one
  std::uint32_t queue_pairs = 4;
  Nanoseconds hold = Seconds(1);
  bool train = false;  // dispersion trains instead of a saturation test
  bool json = false;
};

struct AdviseCommand {
  LineFacts facts;
  bool json = false;
};

struct HelpCommand {};
struct VersionCommand {};

using Command = std::variant<DaemonCommand, CheckConfigCommand, PingCommand, RespondCommand,
                             DevicesCommand, RecordCommand, CompareCommand, BandwidthCommand,
                             AdviseCommand, HelpCommand, VersionCommand>;

// kInvalidArgument says which argument is wrong. Not thread-safe (getopt).
Result<Command> ParseCommandLine(int argc, char** argv);

// What --help prints.
std::string HelpText();

}  // namespace fairlead::linkprobe
