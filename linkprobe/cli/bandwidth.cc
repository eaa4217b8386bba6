#include "linkprobe/cli/bandwidth.h"

#include <grpcpp/security/credentials.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <utility>

#include "linkprobe/bandwidth/wire_bytes.h"
#include "linkprobe/cli/bandwidth_report.h"
#include "linkprobe/cli/peer_probe.h"
#include "linkprobe/cli/round_trip_tap.h"
#include "linkprobe/cli/signal_wait.h"
#include "linkprobe/saturate/saturation_run.h"
#include "linkprobe/saturate/spent_file.h"
#include "linkprobe/saturate/train_run.h"
#include "linkprobe/session/measure_call.h"
#include "linkprobe/transport/open_bulk.h"

namespace fairlead::linkprobe {
namespace {

// A quarter of what a peer answers, all paths together; each costs both hosts time, too.
constexpr double kProbesPerSecond = 50;
constexpr std::size_t kIdleRoundTrips = 20;
constexpr Nanoseconds kGiveUpAfter = Seconds(15);
constexpr Nanoseconds kLease = Seconds(120);
constexpr Nanoseconds kLongestTest = Seconds(110);  // ends before the lease does
// A window may pass what the declared rate needs by this much, so that a rate declared too low
// shows.
constexpr double kBeyondDeclared = 1.5;
// What a train's packet may be where the route's MTU is not what this host takes it for.
constexpr std::uint32_t kTrainPayload = 1'400;

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

// What the peer has readied for the test; of the two kinds one is set.
struct Agreed {
  std::unique_ptr<BulkSender> sender{};
  BulkEnd receiver{};
  std::optional<TrainTarget> trains{};
};

Result<Agreed> Agree(const BandwidthCommand& command, MeasureCall& call) {
  Agreed agreed;
  if (command.train) {
    const auto target = call.OpenTrain();
    if (!target) return Fail(target.error());
    agreed.trains = *target;
    return agreed;
  }
  auto sender =
      OpenBulkSender(command.options.device, command.options.traffic_class, command.queue_pairs);
  if (!sender) {
    return Fail(sender.error().Within("a saturation test needs RDMA (--train does without)"));
  }
  const auto receiver = call.OpenBulk((*sender)->end());
  if (!receiver) return Fail(receiver.error());
  agreed.sender = std::move(*sender);
  agreed.receiver = *receiver;
  return agreed;
}

struct TestContext {
  const BandwidthCommand& command;
  const sigset_t& signals;
  const Clock& clock;
  RoundTripTap& tap;
  MeasureCall& call;
  Agreed& agreed;
  ByteBudget& budget;
  BandwidthReport& report;
};

Status Saturate(const TestContext& test) {
  const BandwidthCommand& command = test.command;
  BulkSender& sender = *test.agreed.sender;
  const auto timing =
      AdviseWindow({.rtt = *test.report.idle_rtt, .rate_bits_per_second = 1'000'000'000});
  if (!timing) return Fail(timing.error());
  if (auto done = sender.Connect(test.agreed.receiver, timing->ack_timeout); !done) return done;

  const std::uint32_t mtu = sender.end().path_mtu_bytes;
  const auto& gid = sender.end().queues.front().gid;
  const bool ipv6 = std::any_of(gid.begin(), gid.begin() + 10, [](auto byte) { return byte != 0; });
  test.report.path_mtu_bytes = mtu;
  test.report.frame_bytes_per_payload = FrameBytesPerPayload(mtu, ipv6);
  RampSettings settings{.start_bytes = 8ULL * mtu, .hold = command.hold};
  if (command.declared_bits_per_second) {
    settings.target_bytes_per_second =
        kBeyondDeclared * static_cast<double>(*command.declared_bits_per_second) / 8;
  }
  ProgressPrinter printer(command, test.budget);
  test.tap.Clear();
  const auto result = RunSaturation({.sender = sender,
                                     .budget = test.budget,
                                     .round_trips = test.tap.mailbox(),
                                     .clock = test.clock,
                                     .path_mtu_bytes = mtu,
                                     .watch =
                                         [&](const RampProgress& progress) {
                                           printer.Show(progress);
                                           return !SignalWithin(test.signals, Nanoseconds(0));
                                         }},
                                    settings, kLongestTest);
  printer.Clear();
  if (!result) return Fail(result.error());
  test.report.saturation = *result;
  return {};
}

Result<TrainResult> TrainsOf(const TestContext& test, std::uint32_t payload_bytes) {
  const TrainTarget& target = *test.agreed.trains;
  auto sender = TrainSender::Open(target.address, target.port, test.command.options.traffic_class,
                                  test.call.test_id(), payload_bytes);
  if (!sender) return Fail(sender.error());
  return RunTrains({.call = test.call,
                    .sender = *sender,
                    .budget = test.budget,
                    .clock = test.clock,
                    .rtt = *test.report.idle_rtt,
                    .watch = [&](double) { return !SignalWithin(test.signals, Nanoseconds(0)); }});
}

Status Trains(const TestContext& test) {
  auto result = TrainsOf(test, 0);
  // Packets of the full MTU may vanish on the way where those that fit anywhere do not.
  if (!result && result.error().code == ErrorCode::kNotFound)
    result = TrainsOf(test, kTrainPayload);
  if (!result) return Fail(result.error());
  test.report.train = *result;
  return {};
}

bool CameToItsEnd(const BandwidthReport& report) {
  if (!report.saturation) return true;
  switch (report.saturation->end) {
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
      SpentFile::Open(command.ledger_file.empty() ? DefaultSpentFile() : command.ledger_file);
  if (!spent) return Fail(spent.error());
  const SystemClock clock;
  // Agreed on before the first probe: a peer that is being tested is not to lose the session that
  // its tester measures by.
  PlannedPeer peer{.node = kAdHocResponder, .session_address = command.peer, .key_id = 1};
  peer.key = std::move(*key);
  MeasureCall call(MakeChannel(command.peer, grpc::InsecureChannelCredentials()), kAdHocProber,
                   peer, kLease, clock);
  auto agreed = Agree(command, call);
  if (!agreed) return Fail(agreed.error());

  RoundTripTap tap;
  EngineSettings settings;
  settings.probes_per_second = kProbesPerSecond / command.options.paths;
  settings.on_reply = [&tap](const SeenReply& seen) { tap.Add(seen); };
  const auto probe = PeerProbe::Start(command.options, settings, command.peer);
  if (!probe) return Fail(probe.error());
  const auto idle = AwaitRoundTrip(**probe, tap, signals);
  if (!idle) return Fail(idle.error());

  const WallTime today = clock.WallNow();
  const auto reserved =
      spent->Reserve(command.line, command.most_bytes, command.quota_bytes, today);
  if (!reserved) return Fail(reserved.error());
  ByteBudget budget(*reserved);
  BandwidthReport report{.peer = command.peer,
                         .line = command.line,
                         .idle_rtt = *idle,
                         .quota_bytes = command.quota_bytes,
                         .declared_bits_per_second = command.declared_bits_per_second};
  const TestContext test{command, signals, clock, tap, call, *agreed, budget, report};
  const Status done = command.train ? Trains(test) : Saturate(test);
  report.spent_bytes = budget.spent();
  const auto returned = spent->Return(command.line, budget.left(), today);
  if (!done) return Fail(done.error());
  if (!returned) return Fail(returned.error());
  std::fputs(DescribeBandwidth(report, command.json).c_str(), stdout);
  return CameToItsEnd(report);
}

}  // namespace fairlead::linkprobe
