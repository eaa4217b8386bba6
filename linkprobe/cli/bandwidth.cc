#include "linkprobe/cli/bandwidth.h"

#include <grpcpp/security/credentials.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <utility>

#include "linkprobe/cli/bandwidth_report.h"
#include "linkprobe/cli/peer_probe.h"
#include "linkprobe/cli/signal_wait.h"
#include "linkprobe/saturate/line_test.h"
#include "linkprobe/saturate/spent_file.h"
#include "linkprobe/session/measure_call.h"

namespace fairlead::linkprobe {
namespace {

// A quarter of what a peer answers, all paths together; each costs both hosts time, too.
constexpr double kProbesPerSecond = 50;
constexpr std::size_t kIdleRoundTrips = 20;
constexpr Nanoseconds kGiveUpAfter = Seconds(15);
constexpr Nanoseconds kLease = Seconds(120);
// A window may pass what the declared rate needs by this much, so that a rate declared too low
// shows.
constexpr double kBeyondDeclared = 1.5;

// Shows how far the test is: in place on a terminal, else a line a second.
class ProgressPrinter {
 public:
  ProgressPrinter(const BandwidthCommand& command, const ByteBudget& budget)
      : command_(command), budget_(budget) {}

  void Show(const RampProgress& progress) {
    const std::string line = ProgressLine(progress, command_.peer, budget_.spent(), command_.json);
    if (command_.json) {
      std::puts(line.c_str());
      std::fflush(stdout);
    } else if (terminal_) {
      std::fprintf(stderr, "\r%s\033[K", line.c_str());
    } else if (turn_++ % 5 == 0) {
      std::fprintf(stderr, "%s\n", line.c_str());
    }
  }
  void Clear() const {
    if (terminal_ && !command_.json) std::fputs("\r\033[K", stderr);
  }

 private:
  const BandwidthCommand& command_;
  const ByteBudget& budget_;
  const bool terminal_ = ::isatty(STDERR_FILENO) == 1;
  int turn_ = 0;
};

// The idle round trip, once the peer has answered often enough.
Result<Nanoseconds> AwaitRoundTrip(const PeerProbe& probe, const RoundTripTap& tap,
                                   const sigset_t& signals) {
  const MonotonicTime begin = probe.clock().Now();
  while (true) {
    if (const auto rtt = tap.Median(kIdleRoundTrips)) return *rtt;
    if (SignalWithin(signals, Milliseconds(50))) {
      return Fail(ErrorCode::kUnavailable, "interrupted");
    }
    if (probe.clock().Now() - begin > kGiveUpAfter) {
      const std::string why = probe.LastError();
      return Fail(ErrorCode::kUnavailable,
                  probe.peer() + " does not answer" + (why.empty() ? "" : ": " + why));
    }
  }
}

bool CameToItsEnd(const BandwidthReport& report) {
  if (!report.found.saturation) return true;
  switch (report.found.saturation->end) {
    case SaturationEnd::kLine:
    case SaturationEnd::kSender:
    case SaturationEnd::kTarget:
      return true;
    case SaturationEnd::kHarm:
    case SaturationEnd::kQuota:
    case SaturationEnd::kSilent:
    case SaturationEnd::kNoReplies:
      return false;
  }
  return false;
}

}  // namespace

Result<bool> RunBandwidth(const BandwidthCommand& command, const sigset_t& signals) {
  auto key = ReadKeyFile(command.options.key_file);
  if (!key) return Fail(key.error());
  auto spent =
      SpentFile::Open(command.ledger_file.empty() ? DefaultSpentFile() : command.ledger_file,
                      {.file = "--ledger", .limit = "--quota"});
  if (!spent) return Fail(spent.error());
  const SystemClock clock;
  // Agreed on before the first probe: a peer that is being tested is not to lose the session that
  // its tester measures by.
  PlannedPeer peer{.node = kAdHocResponder, .session_address = command.peer, .key_id = 1};
  peer.key = std::move(*key);
  MeasureCall call(MakeChannel(command.peer, grpc::InsecureChannelCredentials()), kAdHocProber,
                   peer, kLease, clock);
  LineTestWish wish{.train = command.train,
                    .device = command.options.device,
                    .traffic_class = command.options.traffic_class,
                    .queue_pairs = command.queue_pairs,
                    .hold = command.hold};
  if (command.declared_bits_per_second) {
    wish.ceiling_bytes_per_second =
        kBeyondDeclared * static_cast<double>(*command.declared_bits_per_second) / 8;
  }
  auto test = LineTest::Agree(wish, call);
  if (!test) return Fail(test.error());

  RoundTripTap tap;
  EngineSettings settings;
  settings.probes_per_second = kProbesPerSecond / command.options.paths;
  settings.on_reply = [&tap](const SeenReply& seen) { tap.Add(seen); };
  const auto probe = PeerProbe::Start(command.options, settings, command.peer);
  if (!probe) return Fail(probe.error());
  const auto idle = AwaitRoundTrip(**probe, tap, signals);
  if (!idle) return Fail(idle.error());

  const WallTime today = clock.WallNow();
  const auto reserved = spent->Reserve(command.line, WantedBytes(command.train, command.most_bytes),
                                       command.quota_bytes, today);
  if (!reserved) return Fail(reserved.error());
  ByteBudget budget(*reserved);
  BandwidthReport report{.peer = command.peer,
                         .line = command.line,
                         .idle_rtt = *idle,
                         .quota_bytes = command.quota_bytes,
                         .declared_bits_per_second = command.declared_bits_per_second};
  ProgressPrinter printer(command, budget);
  const auto found =
      test->Run(*idle, {.clock = clock,
                        .budget = budget,
                        .tap = tap,
                        .go_on = [&] { return !SignalWithin(signals, Nanoseconds(0)); },
                        .show = [&](const RampProgress& progress) { printer.Show(progress); }});
  if (!command.train) printer.Clear();
  report.spent_bytes = budget.spent();
  const auto returned = spent->Return(command.line, budget.left(), today);
  if (!found) return Fail(found.error());
  if (!returned) return Fail(returned.error());
  report.found = *found;
  std::fputs(DescribeBandwidth(report, command.json).c_str(), stdout);
  return CameToItsEnd(report);
}

}  // namespace fairlead::linkprobe
