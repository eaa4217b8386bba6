#include "linkprobe/lease/leased_test.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <string>
#include <utility>

#include "linkprobe/bandwidth/byte_budget.h"
#include "linkprobe/saturate/line_test.h"
#include "linkprobe/saturate/spent_file.h"
#include "linkprobe/session/measure_call.h"

namespace fairlead::linkprobe {
namespace {

constexpr std::size_t kIdleRoundTrips = 20;
constexpr Nanoseconds kGiveUpAfter = Seconds(15);
constexpr Nanoseconds kLook = Milliseconds(50);
// For the peer's end: a test that was cut off is told in a second.
constexpr Nanoseconds kPeerMargin = Seconds(5);

class LeasedTest {
 public:
  LeasedTest(const BandwidthLease& lease, MonotonicTime arrived, const LeaseRim& rim,
             const std::stop_token& stop)
      : lease_(lease), until_(arrived + lease.duration), rim_(rim), stop_(stop) {}

  LeaseFinding Run() {
    finding_.outcome.lease_id = lease_.id;
    if (Status prepared = Prepare(); !prepared) {
      Say(IsQuota(prepared.error()) ? LeaseResult::kQuotaUsed : LeaseResult::kRefused,
          prepared.error().message);
    }
    rim_.tap.Follow(std::nullopt);
    return std::move(finding_);
  }

 private:
  static bool IsQuota(const Error& error) { return error.code == ErrorCode::kResourceExhausted; }

  void Say(LeaseResult result, std::string why) {
    finding_.outcome.result = result;
    finding_.outcome.why = std::move(why);
  }

  // Why it must not go on; nothing while it may.
  std::optional<std::string> Ends() const {
    if (stop_.stop_requested()) return "the probe is stopping";
    const auto plan = rim_.plan.Get();
    if (!plan->lease || plan->lease->id != lease_.id) {
      return "the extender has taken the lease back, or is not heard any more";
    }
    if (rim_.clock.Now() >= until_) return "the lease's time is over";
    return std::nullopt;
  }

  Status Check() const {
    if (!lease_.kind) {
      return Fail(ErrorCode::kUnsupported,
                  "the lease is for a kind of test that this version of the probe does not know");
    }
    if (lease_.most_bytes == 0 || lease_.line.empty() ||
        lease_.line.find('\n') != std::string::npos) {
      return Fail(ErrorCode::kInvalidArgument, "the lease allows no bytes or names no line");
    }
    if (const std::string tester = rim_.desk.tester(); !tester.empty()) {
      return Fail(ErrorCode::kUnavailable, "node \"" + tester + "\" is testing with this node now");
    }
    return {};
  }

  // Up to the first byte of the test, and through it. An error means that nothing was sent.
  Status Prepare() {
    if (Status checked = Check(); !checked) return checked;
    const auto plan = rim_.plan.Get();
    const PlannedPeer* peer = plan->Find(lease_.peer_node);
    if (peer == nullptr || !peer->probe) {
      return Fail(ErrorCode::kInvalidArgument,
                  "the plan lets this node probe no \"" + lease_.peer_node + "\"");
    }
    finding_.peer_site = peer->site;
    auto file = SpentFile::Open(
        rim_.settings.ledger_file,
        {.file = "linkprobe.bandwidthLedger", .limit = "extender.bandwidth.bytesPerDay"});
    // Another test of this host is no quota that is spent.
    if (!file) return Fail(ErrorCode::kUnavailable, file.error().message);
    const auto channel = rim_.channels(peer->session_address);
    if (!channel) return Fail(ErrorCode::kUnavailable, channel.error().message);
    const Nanoseconds left = std::max<Nanoseconds>(until_ - rim_.clock.Now(), Seconds(1));
    MeasureCall call(*channel, rim_.settings.node, *peer,
                     std::min(left + kPeerMargin, kLongestLease), rim_.clock, stop_);
    rim_.tap.Follow(peer->node);
    auto test = LineTest::Agree({.train = lease_.kind == TestKind::kTrain,
                                 .device = rim_.settings.device,
                                 .traffic_class = rim_.settings.traffic_class,
                                 .longest = left,
                                 .ceiling_bytes_per_second = lease_.ceiling_bytes_per_second},
                                call);
    // Also a peer that is at a limit of its own.
    if (!test) return Fail(ErrorCode::kUnavailable, test.error().message);
    const auto idle = AwaitRoundTrip(*peer);
    if (!idle) return Fail(idle.error());
    return Spend(*file, *test, *idle);
  }

  Result<Nanoseconds> AwaitRoundTrip(const PlannedPeer& peer) const {
    const MonotonicTime begin = rim_.clock.Now();
    std::mutex mutex;
    std::condition_variable_any waiting;
    while (true) {
      if (const auto rtt = rim_.tap.Median(kIdleRoundTrips)) return *rtt;
      if (auto why = Ends()) return Fail(ErrorCode::kUnavailable, *std::move(why));
      if (rim_.clock.Now() - begin > kGiveUpAfter) {
        return Fail(ErrorCode::kUnavailable,
                    "node \"" + peer.node + "\" answers too few probes to test by");
      }
      std::unique_lock lock(mutex);
      waiting.wait_for(lock, stop_, kLook, [] { return false; });
    }
  }

  Status Spend(SpentFile& file, LineTest& test, Nanoseconds idle_rtt) {
    const WallTime today = rim_.clock.WallNow();
    const auto reserved =
        file.Reserve(lease_.line, lease_.most_bytes, lease_.most_bytes_per_day, today);
    if (!reserved) return Fail(reserved.error());
    TellSpending(file);
    ByteBudget budget(*reserved);
    const auto found = test.Run(idle_rtt, {.clock = rim_.clock,
                                           .budget = budget,
                                           .tap = rim_.tap,
                                           .go_on = [this] { return !Ends(); },
                                           .stop = stop_});
    finding_.outcome.spent_bytes = budget.spent();
    if (found) {
      Take(*found);
    } else if (IsQuota(found.error())) {
      Say(LeaseResult::kQuotaUsed, found.error().message);
    } else {
      Say(LeaseResult::kAborted, Ends().value_or(found.error().message));
    }
    if (const auto returned = file.Return(lease_.line, budget.left(), today); !returned) {
      finding_.outcome.why += (finding_.outcome.why.empty() ? "" : "; ") +
                              ("what was not sent counts as sent: " + returned.error().message);
    }
    TellSpending(file);
    return {};
  }

  void TellSpending(const SpentFile& file) const {
    if (auto ledger = file.Ledger()) rim_.spent(*std::move(ledger));
  }

  void Take(const LineTestFound& found) {
    Say(LeaseResult::kMeasured, "");
    bool counts = true;
    if (found.saturation) {
      switch (found.saturation->end) {
        case SaturationEnd::kLine:
        case SaturationEnd::kSender:
        case SaturationEnd::kTarget:
          break;
        case SaturationEnd::kQuota:  // what was reached until then is a lower bound
          Say(LeaseResult::kQuotaUsed, found.saturation->evidence);
          break;
        case SaturationEnd::kHarm:
        case SaturationEnd::kSilent:
        case SaturationEnd::kNoReplies:
          Say(LeaseResult::kAborted, found.saturation->evidence);
          counts = false;
          break;
      }
    }
    const auto rate = found.BytesPerSecond();
    if (!counts || !rate || !(*rate >= 1)) return;
    finding_.rate = FoundRate{.kind = found.train ? TestKind::kTrain : TestKind::kSaturation,
                              .bytes_per_second = *rate,
                              .at = rim_.clock.Now(),
                              .at_least = !found.IsCapacity()};
  }

  const BandwidthLease& lease_;
  const MonotonicTime until_;
  const LeaseRim& rim_;
  const std::stop_token& stop_;
  LeaseFinding finding_;
};

}  // namespace

LeaseFinding RunLease(const BandwidthLease& lease, MonotonicTime arrived, const LeaseRim& rim,
                      const std::stop_token& stop) {
  return LeasedTest(lease, arrived, rim, stop).Run();
}

}  // namespace fairlead::linkprobe
