#include "linkprobe/cli/bandwidth.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <utility>

#include "linkprobe/cli/bandwidth_report.h"
#include "linkprobe/cli/peer_probe.h"
#include "linkprobe/cli/responder_call.h"
#include "linkprobe/cli/signal_wait.h"
#include "linkprobe/saturate/line_test.h"
#include "linkprobe/saturate/paid_test.h"

namespace fairlead::linkprobe {
namespace {

// A quarter of what a peer answers, all paths together; each costs both hosts time, too.
constexpr double kProbesPerSecond = 50;
constexpr Nanoseconds kGiveUpAfter = Seconds(15);
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

}  // namespace

Result<bool> RunBandwidth(const BandwidthCommand& command, const sigset_t& signals) {
  auto key = ReadKeyFile(command.options.key_file);
  if (!key) return Fail(key.error());
  auto spent = OpenLedger(command.ledger_file);
  if (!spent) return Fail(spent.error());
  const SystemClock clock;
  // Agreed on before the first probe: a peer that is being tested is not to lose the session that
  // its tester measures by.
  MeasureCall call = CallResponder(command.peer, *std::move(key), clock);
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

  BandwidthReport report{.peer = command.peer,
                         .line = command.line,
                         .idle_rtt = *idle,
                         .quota_bytes = command.quota_bytes,
                         .declared_bits_per_second = command.declared_bits_per_second};
  const auto run = [&](ByteBudget& budget) {
    ProgressPrinter printer(command, budget);
    auto found =
        test->Run(*idle, {.clock = clock,
                          .budget = budget,
                          .tap = tap,
                          .go_on = [&] { return !SignalWithin(signals, Nanoseconds(0)); },
                          .show = [&](const RampProgress& progress) { printer.Show(progress); }});
    if (!command.train) printer.Clear();
    return found;
  };
  const auto paid = RunPaid(*spent,
                            {.line = command.line,
                             .most_bytes = WantedBytes(command.train, command.most_bytes),
                             .bytes_per_day = command.quota_bytes},
                            clock, run);
  if (!paid) return Fail(paid.error());
  report.found = paid->found;
  report.spent_bytes = paid->spent_bytes;
  std::fputs(DescribeBandwidth(report, command.json).c_str(), stdout);
  return report.found.CameToItsEnd();
}

}  // namespace fairlead::linkprobe
