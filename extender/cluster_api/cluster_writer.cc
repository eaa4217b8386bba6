#include "extender/cluster_api/cluster_writer.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <variant>

#include "common/base/hex.h"
#include "common/base/log.h"
#include "common/base/mailbox.h"
#include "common/kube/api_connection.h"
#include "common/kube/reflector.h"
#include "extender/cluster_api/event_ledger.h"
#include "extender/cluster_api/write_requests.h"

namespace fairlead::extender {
namespace {

constexpr std::size_t kMostWaiting = 1024;
constexpr Nanoseconds kTick = Seconds(5);
constexpr Nanoseconds kMarkGap = Seconds(10);

struct Healed {
  std::vector<std::string> sites;
};

}  // namespace

class ClusterWriter::Impl {
 public:
  Impl(std::unique_ptr<kube::ApiConnection> connection, std::string instance,
       const Snapshot<ClusterView>& view, const Clock& clock)
      : connection_(std::move(connection)),
        instance_(std::move(instance)),
        view_(view),
        clock_(clock),
        // Names of Events of another start must differ.
        ledger_(Hex(static_cast<std::uint64_t>(clock.WallNow().time_since_epoch().count()))),
        waiting_(kMostWaiting) {}

  void Start() {
    thread_ = std::jthread([this](const std::stop_token& stop) { Run(stop); });
  }

  bool Push(std::variant<ClusterEvent, Healed> work) {
    const bool event = std::holds_alternative<ClusterEvent>(work);
    if (waiting_.Push(std::move(work))) return true;
    const std::lock_guard lock(mutex_);
    counts_.events_dropped += event ? 1 : 0;
    return false;
  }

  WriteCounts counts() const {
    const std::lock_guard lock(mutex_);
    return counts_;
  }

 private:
  void Run(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      auto work = waiting_.PopUntil(stop, clock_.Now() + kTick);
      if (stop.stop_requested()) return;
      if (work && std::holds_alternative<Healed>(*work)) {
        for (const std::string& site : std::get<Healed>(*work).sites) MarkSite(site, stop);
      } else if (work) {
        const std::uint64_t dropped = ledger_.dropped();
        const auto write =
            ledger_.Tell(std::get<ClusterEvent>(*std::move(work)), clock_.Now(), clock_.WallNow());
        Count(&WriteCounts::events_dropped, ledger_.dropped() - dropped);
        if (write) Write(*write, stop);
      }
      for (const EventWrite& write : ledger_.Due(clock_.Now())) Write(write, stop);
    }
  }

  void Count(std::uint64_t WriteCounts::*what, std::uint64_t by) {
    const std::lock_guard lock(mutex_);
    counts_.*what += by;
  }

  void Write(const EventWrite& write, const std::stop_token& stop) {
    const auto done = connection_->Call(EventRequest(write, instance_), stop);
    // With a conflict it is there: a request before was heard, though its answer was not; or
    // another process has said the same.
    const bool there = !done && done.error().failure == kube::ApiFailure::kConflict;
    if (done || (there && write.first && !write.event.name.empty())) {
      return Done("events", &WriteCounts::events_written);
    }
    if (!there) ledger_.Lost(write.name);
    Failed("events.events.k8s.io", write.first ? "create" : "patch", "events", done.error());
  }

  void MarkSite(const std::string& site, const std::stop_token& stop) {
    const MonotonicTime now = clock_.Now();
    const auto marked = marked_.find(site);
    if (marked != marked_.end() && now - marked->second < kMarkGap) return;
    const auto view = view_.Get();
    const auto node = std::ranges::find_if(
        view->nodes(), [&](const NodeCapacity& one) { return one.site == site && one.ready; });
    if (node == view->nodes().end()) return;
    marked_[site] = now;
    const auto done = connection_->Call(LineHealedRequest(node->name, clock_.WallNow()), stop);
    if (done) return Done("nodes", &WriteCounts::nodes_marked);
    Failed("nodes", "patch", "nodes", done.error());
  }

  void Done(const std::string& what, std::uint64_t WriteCounts::*count) {
    Count(count, 1);
    troubles_.erase(what);
  }

  void Failed(std::string resource_name, const std::string& verb, const std::string& what,
              const kube::ApiError& error) {
    if (error.failure == kube::ApiFailure::kStopped) return;
    {
      const std::lock_guard lock(mutex_);
      ++counts_.failures[static_cast<std::size_t>(error.failure)];
    }
    if (std::exchange(troubles_[what], error.failure) == error.failure) return;
    kube::Resource resource;
    resource.name = std::move(resource_name);
    LogWarning("cannot write to the api server",
               {{"what", what}, {"reason", kube::TroubleWith(resource, verb, error)}});
  }

  const std::unique_ptr<kube::ApiConnection> connection_;
  const std::string instance_;
  const Snapshot<ClusterView>& view_;
  const Clock& clock_;
  EventLedger ledger_;
  std::map<std::string, MonotonicTime> marked_;                      // by site
  std::map<std::string, std::optional<kube::ApiFailure>> troubles_;  // what last failed, and how
  mutable std::mutex mutex_;
  WriteCounts counts_;
  Mailbox<std::variant<ClusterEvent, Healed>> waiting_;
  std::jthread thread_;
};

ClusterWriter::ClusterWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ClusterWriter::~ClusterWriter() = default;

Result<std::unique_ptr<ClusterWriter>> ClusterWriter::Create(const kube::Access& access,
                                                             std::string user_agent,
                                                             std::string instance,
                                                             const Snapshot<ClusterView>& view,
                                                             const Clock& clock) {
  auto connection = kube::ApiConnection::Create(access, std::move(user_agent), clock);
  if (!connection) return Fail(connection.error());
  auto impl = std::make_unique<Impl>(*std::move(connection), std::move(instance), view, clock);
  return std::unique_ptr<ClusterWriter>(new ClusterWriter(std::move(impl)));
}

void ClusterWriter::Start() { impl_->Start(); }
bool ClusterWriter::Tell(ClusterEvent event) { return impl_->Push(std::move(event)); }
void ClusterWriter::LinesHealed(std::vector<std::string> sites) {
  impl_->Push(Healed{std::move(sites)});
}
WriteCounts ClusterWriter::counts() const { return impl_->counts(); }

}  // namespace fairlead::extender
