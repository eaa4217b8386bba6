#include "linkprobe/cli/record_arguments.h"

#include <algorithm>
#include <string>
#include <utility>

#include "common/units/duration.h"
#include "linkprobe/cli/peer_arguments.h"

namespace fairlead::linkprobe {
namespace {

constexpr Nanoseconds kLongestWindow = Seconds(60);
constexpr Nanoseconds kLongestRecording = Seconds(7 * 86400);
// What probes look back on unless linkprobe.reportWindow says otherwise.
constexpr Nanoseconds kUsualReportWindow = Seconds(60);
constexpr Nanoseconds kLongestReportWindow = Seconds(3600);
// With these there is a verdict unless windows hang together unusually long.
constexpr int kWindowsToCompare = 20;
// As often as `bw` probes: what a test that fills a line does to others shows in round trips.
constexpr Nanoseconds kWatchingInterval = Milliseconds(20);
// A test spoils the windows that it falls into, and most are to be whole.
constexpr int kFewestWindowsPerTest = 6;

Status TakePeers(const Arguments& from, RecordCommand& record) {
  for (const std::string& operand : from.operands) {
    const std::string peer = WithPort(operand);
    if (std::find(record.peers.begin(), record.peers.end(), peer) != record.peers.end()) {
      return Fail(ErrorCode::kInvalidArgument, "PEER " + operand + " is named twice");
    }
    record.peers.push_back(peer);
  }
  return {};
}

Status TakeTests(const Arguments& from, RecordCommand& record) {
  if (!from.Has("bandwidth")) {
    for (const char* name : {"saturate", "quota", "ledger"}) {
      if (!from.Has(name)) continue;
      return Fail(ErrorCode::kInvalidArgument,
                  std::string("--") + name + " belongs to --bandwidth INTERVAL, which is missing");
    }
    return {};
  }
  RecordedTests tests;
  const auto every =
      DurationArgument(from, "bandwidth", {}, kFewestWindowsPerTest * record.window, record.length);
  if (!every) return Fail(every.error());
  tests.every = *every;
  tests.saturate = from.Has("saturate");
  if (tests.saturate && record.interval > kWatchingInterval) {
    if (from.Has("interval")) {
      return Fail(ErrorCode::kInvalidArgument,
                  "--interval " + from.Get("interval") +
                      " is too long for --saturate: probes watch " + "that a test harms nobody; " +
                      FormatDuration(kWatchingInterval) + " at most, which is the default with it");
    }
    record.interval = kWatchingInterval;
  }
  const auto quota = BytesArgument(from, "quota", tests.quota_bytes);
  if (!quota) return Fail(quota.error());
  tests.quota_bytes = *quota;
  tests.ledger_file = from.Get("ledger");
  record.tests = std::move(tests);
  return {};
}

Status TakeTimes(const Arguments& from, RecordCommand& record) {
  const auto interval =
      DurationArgument(from, "interval", record.interval, Milliseconds(1), Seconds(6));
  if (!interval) return Fail(interval.error());
  record.interval = *interval;
  // A median of fewer than ten probes is no window's value.
  const auto window =
      DurationArgument(from, "window", std::max(record.window, 10 * *interval),
                       std::max<Nanoseconds>(Seconds(1), 10 * *interval), kLongestWindow);
  if (!window) return Fail(window.error());
  record.window = *window;
  const auto length = DurationArgument(from, "for", record.length, *window, kLongestRecording);
  if (!length) return Fail(length.error());
  record.length = *length;
  return {};
}

// What an extender tells is measured by others' probes, so nothing of them can be chosen here.
Status TakeExtender(const Arguments& from, RecordCommand& record) {
  record.from = from.Get("from");
  for (const auto& [name, value] : from.options) {
    if (name == "from" || name == "ca-file" || name == "out" || name == "for" || name == "window") {
      continue;
    }
    return Fail(ErrorCode::kInvalidArgument,
                "--" + name + " does not go with --from, which sends no probes of its own");
  }
  if (!from.operands.empty()) {
    return Fail(
        ErrorCode::kInvalidArgument,
        "PEER " + from.operands.front() + " does not go with --from, which records all links");
  }
  record.ca_file = from.Get("ca-file");
  const auto window =
      DurationArgument(from, "window", kUsualReportWindow, Seconds(1), kLongestReportWindow);
  if (!window) return Fail(window.error());
  record.window = *window;
  const auto length =
      DurationArgument(from, "for", std::max(record.length, kWindowsToCompare * *window), *window,
                       kLongestRecording);
  if (!length) return Fail(length.error());
  record.length = *length;
  return {};
}

Status TakeProbing(const Arguments& from, RecordCommand& record) {
  if (from.operands.empty()) {
    return Fail(ErrorCode::kInvalidArgument,
                "record takes PEERs, each a host or host:port, or --from URL");
  }
  if (from.Has("ca-file")) {
    return Fail(ErrorCode::kInvalidArgument, "--ca-file belongs to --from URL, which is missing");
  }
  const auto options = ReadAdHoc(from);
  if (!options) return Fail(options.error());
  record.options = *options;
  if (Status taken = TakePeers(from, record); !taken) return taken;
  if (Status taken = TakeTimes(from, record); !taken) return taken;
  return TakeTests(from, record);
}

}  // namespace

OptionRules RecordRules() {
  return {{"out", true},   {"for", true},     {"window", true},    {"interval", true},
          {"from", true},  {"ca-file", true}, {"bandwidth", true}, {"saturate", false},
          {"quota", true}, {"ledger", true}};
}

Result<RecordCommand> ReadRecord(const Arguments& from) {
  RecordCommand record;
  const Status taken = from.Has("from") ? TakeExtender(from, record) : TakeProbing(from, record);
  if (!taken) return Fail(taken.error());
  record.out = from.Get("out");
  if (record.out.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "--out FILE is missing; it must be a new file");
  }
  return record;
}

}  // namespace fairlead::linkprobe
