#include "linkprobe/cli/test_rounds.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "common/base/mailbox.h"
#include "linkprobe/cli/ad_hoc.h"
#include "linkprobe/cli/responder_call.h"
#include "linkprobe/record/test_spans.h"
#include "linkprobe/saturate/paid_test.h"

namespace fairlead::linkprobe {
namespace {

// Read ten times a second.
constexpr std::size_t kNotesKept = 256;

std::string HostOf(const std::string& peer) { return peer.substr(0, peer.rfind(':')); }

}  // namespace

class TestRounds::Loop {
 public:
  Loop(const RecordedTests& wish, const AdHocOptions& options, std::vector<std::uint8_t> key,
       std::vector<TestedPeer> peers, const Clock& clock)
      : wish_(wish),
        options_(options),
        key_(std::move(key)),
        peers_(std::move(peers)),
        clock_(clock),
        thread_([this](const std::stop_token& stop) { Run(stop); }) {}

  std::optional<TestNote> Next() { return notes_.TryPop(); }

 private:
  void Run(const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any waiting;
    MonotonicTime next = clock_.Now();
    while (!stop.stop_requested()) {
      next += wish_.every;
      for (const TestedPeer& peer : peers_) {
        if (!stop.stop_requested()) TestOne(peer, stop);
      }
      std::unique_lock lock(mutex);
      const Nanoseconds left = next - clock_.Now();
      // A round may take longer than its interval.
      next -= std::min<Nanoseconds>(left, {});
      waiting.wait_for(lock, stop, std::max<Nanoseconds>(left, {}), [] { return false; });
    }
  }

  // A recorder that does not read loses notes, and no test waits for it.
  void Tell(TestNote note) { (void)notes_.Push(std::move(note)); }

  void TestOne(const TestedPeer& peer, const std::stop_token& stop) {
    const auto found = Test(peer, stop);
    if (stop.stop_requested()) return;
    TestNote note{.peer = peer.peer, .at = clock_.Now()};
    if (!found) {
      note.trouble = found.error().message;
    } else if (const auto rate = found->BytesPerSecond(); rate && found->CameToItsEnd()) {
      note.found = MakeWindowBandwidth(*rate, std::string(found->Source()), !found->IsCapacity());
    } else {
      note.trouble = found->saturation ? found->saturation->evidence : "nothing was measured";
    }
    Tell(std::move(note));
  }

  Result<LineTestFound> Test(const TestedPeer& peer, const std::stop_token& stop) {
    const auto idle = AwaitRoundTrip(*peer.tap, stop);
    if (!idle) return Fail(idle.error());
    auto ledger = OpenLedger(wish_.ledger_file);
    if (!ledger) return Fail(ledger.error());
    MeasureCall call = CallResponder(peer.peer, key_, clock_, stop);
    auto test = LineTest::Agree({.train = !wish_.saturate,
                                 .device = options_.device,
                                 .traffic_class = options_.traffic_class},
                                call);
    if (!test) return Fail(test.error());
    Tell({.peer = peer.peer, .at = clock_.Now(), .begins = true});
    const auto run = [&](ByteBudget& budget) {
      return test->Run(*idle, {.clock = clock_,
                               .budget = budget,
                               .tap = *peer.tap,
                               .go_on = [&] { return !stop.stop_requested(); },
                               .stop = stop});
    };
    auto paid = RunPaid(*ledger,
                        {.line = HostOf(peer.peer),
                         .most_bytes = WantedBytes(!wish_.saturate, wish_.quota_bytes),
                         .bytes_per_day = wish_.quota_bytes},
                        clock_, run);
    if (!paid) return Fail(paid.error());
    return paid->found;
  }

  // Of probes from now on, so that none of the test before counts. Half an interval has thirty.
  Result<Nanoseconds> AwaitRoundTrip(RoundTripTap& tap, const std::stop_token& stop) const {
    std::mutex mutex;
    std::condition_variable_any waiting;
    std::unique_lock lock(mutex);
    tap.Follow(kAdHocResponder);
    const MonotonicTime give_up = clock_.Now() + wish_.every / 2;
    while (!stop.stop_requested() && clock_.Now() < give_up) {
      if (const auto rtt = tap.Median(kIdleRoundTrips)) return *rtt;
      waiting.wait_for(lock, stop, Milliseconds(50), [] { return false; });
    }
    return Fail(ErrorCode::kUnavailable, "it answers too few probes to be tested");
  }

  const RecordedTests wish_;
  const AdHocOptions options_;
  const std::vector<std::uint8_t> key_;
  const std::vector<TestedPeer> peers_;
  const Clock& clock_;
  Mailbox<TestNote> notes_{kNotesKept};
  std::jthread thread_;
};

TestRounds::TestRounds(std::unique_ptr<Loop> loop) : loop_(std::move(loop)) {}
TestRounds::~TestRounds() = default;

Result<std::unique_ptr<TestRounds>> TestRounds::Start(const RecordedTests& wish,
                                                      const AdHocOptions& options,
                                                      std::vector<TestedPeer> peers,
                                                      const Clock& clock) {
  auto key = ReadKeyFile(options.key_file);
  if (!key) return Fail(key.error());
  if (const auto ledger = OpenLedger(wish.ledger_file); !ledger) return Fail(ledger.error());
  auto loop = std::make_unique<Loop>(wish, options, *std::move(key), std::move(peers), clock);
  return std::unique_ptr<TestRounds>(new TestRounds(std::move(loop)));
}

std::optional<TestNote> TestRounds::Next() { return loop_->Next(); }

}  // namespace fairlead::linkprobe
