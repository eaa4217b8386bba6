#include "linkprobe/lease/lease_runner.h"

#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "common/base/log.h"
#include "linkprobe/lease/leased_test.h"
#include "linkprobe/saturate/spent_file.h"

namespace fairlead::linkprobe {
namespace {

constexpr Nanoseconds kLook = Milliseconds(500);

}  // namespace

class LeaseRunner::State {
 public:
  State(LeaseSettings settings, const Snapshot<Plan>& plan, ChannelFactory channels,
        RoundTripTap& tap, const MeasureDesk& desk, const Clock& clock)
      : settings_(std::move(settings)),
        plan_(plan),
        channels_(std::move(channels)),
        rim_{.settings = settings_,
             .plan = plan_,
             .channels = channels_,
             .tap = tap,
             .desk = desk,
             .clock = clock,
             .spent = [this](DailyLedger ledger) { TellSpent(std::move(ledger)); }},
        thread_([this](const std::stop_token& stop) { Run(stop); }) {}

  std::shared_ptr<const LeaseBook> Latest() const { return told_.Get(); }

 private:
  void Run(const std::stop_token& stop) {
    rim_.tap.Follow(std::nullopt);
    RememberSpent();
    std::mutex mutex;
    std::condition_variable_any waiting;
    while (!stop.stop_requested()) {
      const auto plan = plan_.Get();
      if (plan->lease && plan->lease->id != last_lease_) {
        last_lease_ = plan->lease->id;
        RunOne(*plan->lease, stop);
      }
      std::unique_lock lock(mutex);
      waiting.wait_for(lock, stop, kLook, [] { return false; });
    }
  }

  // Of the processes before this one.
  void RememberSpent() {
    const auto file = SpentFile::Open(
        settings_.ledger_file,
        {.file = "linkprobe.bandwidthLedger", .limit = "extender.bandwidth.bytesPerDay"});
    const Result<DailyLedger> ledger =
        file ? file->Ledger() : Result<DailyLedger>(Fail(file.error()));
    if (ledger) return TellSpent(*ledger);
    LogWarning("bandwidth tests are refused until this is mended",
               {{"error", ledger.error().message}});
  }

  void RunOne(const BandwidthLease& lease, const std::stop_token& stop) {
    LeaseFinding finding = RunLease(lease, rim_.clock.Now(), rim_, stop);
    LogInfo("bandwidth lease ended", {{"lease", lease.id},
                                      {"peer", lease.peer_node},
                                      {"result", LeaseResultName(finding.outcome.result)},
                                      {"why", finding.outcome.why},
                                      {"spent_bytes", finding.outcome.spent_bytes}});
    if (finding.rate) book_.Found(finding.peer_site, *finding.rate);
    book_.Ended(std::move(finding.outcome));
    told_.Publish(book_);
  }

  void TellSpent(DailyLedger ledger) {
    book_.Spent(std::move(ledger));
    told_.Publish(book_);
  }

  const LeaseSettings settings_;
  const Snapshot<Plan>& plan_;
  const ChannelFactory channels_;
  LeaseBook book_;
  Snapshot<LeaseBook> told_;
  std::uint64_t last_lease_ = 0;
  const LeaseRim rim_;
  std::jthread thread_;
};

LeaseRunner::LeaseRunner(LeaseSettings settings, const Snapshot<Plan>& plan,
                         ChannelFactory channels, RoundTripTap& tap, const MeasureDesk& desk,
                         const Clock& clock)
    : state_(std::make_unique<State>(std::move(settings), plan, std::move(channels), tap, desk,
                                     clock)) {}
LeaseRunner::~LeaseRunner() = default;

std::shared_ptr<const LeaseBook> LeaseRunner::Latest() const { return state_->Latest(); }

}  // namespace fairlead::linkprobe
