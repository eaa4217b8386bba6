#include "linkprobe/report/replica_reports.h"

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "common/base/backoff.h"
#include "common/base/log.h"
#include "fairlead/v1/registry.pb.h"
#include "linkprobe/report/link_report.h"
#include "linkprobe/report/plan_choice.h"
#include "linkprobe/session/peer_address.h"

namespace fairlead::linkprobe {
namespace {

constexpr std::size_t kMostReplicas = 8;
constexpr Nanoseconds kLookAgain = Seconds(60);
// However many streams end, and for plans whose time has come.
constexpr Nanoseconds kLeastPause = Seconds(1);
constexpr Nanoseconds kLongestPause = Seconds(15);

}  // namespace

class ReplicaReports::State {
 public:
  State(ReportSettings settings, ReplicaPorts ports, std::vector<ProbeEngine*> engines,
        Snapshot<Plan>& plan, const Clock& clock)
      : settings_(std::move(settings)),
        ports_(std::move(ports)),
        engines_(std::move(engines)),
        plan_(plan),
        clock_(clock),
        pause_(kLeastPause, kLongestPause, settings_.epoch),
        thread_([this](const std::stop_token& stop) { Run(stop); }) {}

  ReportStatus status() const {
    std::lock_guard lock(mutex_);
    ReportStatus all = status_;
    for (const auto& [address, stream] : streams_) {
      const StreamStatus one = stream->status();
      ++all.replicas;
      all.connections += one.connected ? 1 : 0;
      AddCounts(one, all);
      if (!one.connected && all.last_error.empty()) all.last_error = one.last_error;
    }
    all.connected = all.connections > 0;
    if (all.connected) all.last_error.clear();
    return all;
  }

 private:
  using Streams = std::map<std::string, std::unique_ptr<ReportStream>>;

  static void AddCounts(const StreamStatus& from, ReportStatus& to) {
    to.connects += from.connects;
    to.batches_sent += from.batches_sent;
  }

  void Run(const std::stop_token& stop) {
    MonotonicTime next_look = clock_.Now();
    while (!stop.stop_requested()) {
      if (clock_.Now() >= next_look) {
        next_look = clock_.Now() + (LookUp() ? kLookAgain : pause_.Next());
      }
      std::unique_lock lock(mutex_);
      changed_.wait_for(lock, stop, kLeastPause, [] { return false; });
      if (std::exchange(stream_ended_, false)) next_look = std::min(next_look, clock_.Now());
      TurnPlan();
    }
    std::unique_lock lock(mutex_);
    Streams ending = std::exchange(streams_, {});
    lock.unlock();  // streams that end call back
  }

  // False where the addresses are not known.
  bool LookUp() {
    auto found = ports_.addresses();
    if (!found) {
      std::lock_guard lock(mutex_);
      ++status_.lookup_failures;
      if (status_.last_error != found.error().message) {
        LogWarning("the extender's addresses are not known", {{"error", found.error().message}});
      }
      status_.last_error = found.error().message;
      return false;
    }
    pause_.Reset();
    std::sort(found->begin(), found->end());
    if (found->size() > kMostReplicas) {
      LogWarning("more replicas of the extender than are reported to",
                 {{"addresses", found->size()}, {"most", kMostReplicas}});
      found->resize(kMostReplicas);
    }
    Follow(*found);
    return true;
  }

  void Follow(const std::vector<std::string>& addresses) {
    Streams gone;
    {
      std::lock_guard lock(mutex_);
      status_.last_error.clear();
      for (auto at = streams_.begin(); at != streams_.end();) {
        if (std::binary_search(addresses.begin(), addresses.end(), at->first)) {
          ++at;
        } else {
          LogInfo("a replica of the extender has gone", {{"extender", at->first}});
          gone.insert(streams_.extract(at++));
        }
      }
      for (const std::string& address : addresses) {
        if (!streams_.contains(address)) streams_.emplace(address, Open(address));
      }
    }
    // Streams that end call back.
    for (auto& [address, stream] : gone) {
      const StreamStatus last = stream->status();
      stream.reset();
      std::lock_guard lock(mutex_);
      AddCounts(last, status_);
    }
  }

  std::unique_ptr<ReportStream> Open(const std::string& address) {
    return std::make_unique<ReportStream>(
        settings_, address,
        ReportPorts{.channel = [this, address] { return ports_.channel(address); },
                    .session_address = [this, address] { return ports_.session_address(address); },
                    .authorize = ports_.authorize,
                    .hcas = ports_.hcas,
                    .opened = [this, address] { Opened(address); },
                    .plan = [this, address](const v1::ProbePlan& plan) { TakePlan(address, plan); },
                    .closed = [this, address] { Closed(address); },
                    .counters = ports_.counters,
                    .leases = ports_.leases},
        engines_, clock_);
  }

  void Opened(const std::string& address) {
    std::lock_guard lock(mutex_);
    choice_.Opened(address);
  }

  void Closed(const std::string& address) {
    std::lock_guard lock(mutex_);
    choice_.Closed(address, clock_.Now());
    TurnPlan();
    stream_ended_ = true;
  }

  void TakePlan(const std::string& address, const v1::ProbePlan& arrived) {
    std::lock_guard lock(mutex_);
    const MonotonicTime now = clock_.Now();
    if (arrived.follows()) {
      choice_.Follows(address, now);
      LogDebug("a replica of the extender follows",
               {{"extender", address}, {"term", arrived.term()}});
      return TurnPlan();
    }
    auto read = ReadPlan(arrived, now);
    if (!read) {
      ++status_.plans_refused;
      LogWarning("plan refused", {{"extender", address},
                                  {"term", arrived.term()},
                                  {"revision", arrived.revision()},
                                  {"error", read.error().message}});
      return;
    }
    if (read->lines_refused > 0) {
      status_.plan_lines_refused += read->lines_refused;
      LogWarning("lines of a plan refused: impossible values; are both of one version?",
                 {{"extender", address}, {"lines", read->lines_refused}});
    }
    switch (choice_.Arrived(address, *std::move(read), now)) {
      case PlanVerdict::kHeard:
      case PlanVerdict::kSame:
        break;
      case PlanVerdict::kStaleTerm:
      case PlanVerdict::kStaleRevision:
        ++status_.plans_ignored;
        LogInfo(
            "older plan ignored",
            {{"extender", address}, {"term", arrived.term()}, {"revision", arrived.revision()}});
        break;
    }
    TurnPlan();
  }

  // Under the lock, so that plans come into force in the order in which they are chosen.
  void TurnPlan() {
    auto plan = choice_.Turn(clock_.Now());
    if (!plan) {
      if (auto unleased = choice_.WithoutLease()) plan_.Publish(*std::move(unleased));
      return;
    }
    ++status_.plans_taken;
    const auto before = plan_.Get();
    // Most plans of a quiet day say no more than how old the lines' values are by now.
    const bool news = plan->term != before->term || plan->site != before->site ||
                      plan->peers != before->peers || plan->lease.has_value();
    Log(news ? LogLevel::kInfo : LogLevel::kDebug, "plan taken",
        {{"extender", choice_.leader()},
         {"term", plan->term},
         {"revision", plan->revision},
         {"site", plan->site},
         {"peers", plan->peers.size()},
         {"lines", plan->lines.size()}});
    plan_.Publish(*std::move(plan));
  }

  const ReportSettings settings_;
  const ReplicaPorts ports_;
  const std::vector<ProbeEngine*> engines_;
  Snapshot<Plan>& plan_;
  const Clock& clock_;
  Backoff pause_;

  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  PlanChoice choice_;
  Streams streams_;
  ReportStatus status_;  // what is not of a stream that is there
  bool stream_ended_ = false;
  std::jthread thread_;
};

ReplicaReports::ReplicaReports(ReportSettings settings, ReplicaPorts ports,
                               std::vector<ProbeEngine*> engines, Snapshot<Plan>& plan,
                               const Clock& clock)
    : state_(std::make_unique<State>(std::move(settings), std::move(ports), std::move(engines),
                                     plan, clock)) {}
ReplicaReports::~ReplicaReports() = default;

ReportStatus ReplicaReports::status() const { return state_->status(); }

Result<std::vector<std::string>> ReplicaAddresses(const std::string& address) {
  const auto parsed = ParseHostPort(address);
  if (!parsed) return Fail(parsed.error().Within("linkprobe.extender"));
  auto literals = AddressesOf(parsed->host);
  if (!literals) return Fail(literals.error().Within("linkprobe.extender"));
  for (std::string& literal : *literals) {
    if (literal.find(':') != std::string::npos) literal = "[" + literal + "]";
    literal += ":" + std::to_string(parsed->port);
  }
  return literals;
}

}  // namespace fairlead::linkprobe
