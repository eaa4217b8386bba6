#include "deviceplugin/node/node_loop.h"

#include <algorithm>
#include <utility>

#include "common/base/log.h"
#include "deviceplugin/allocation/make_offer.h"
#include "deviceplugin/node/node_changes.h"

namespace fairlead::deviceplugin {
namespace {

// For what no event tells: counters of the kernel's own, a file system without notification.
constexpr Nanoseconds kPoll = Seconds(10);
// Between two readings, however often the node changes.
constexpr Nanoseconds kPause = Milliseconds(200);

void LogChanges(const NodeState& before, const NodeState& now) {
  for (const NodeChange& change : ChangesBetween(before, now)) {
    Log(change.bad ? LogLevel::kWarning : LogLevel::kInfo, change.message,
        {{"device", change.device}, {"detail", change.detail}});
  }
}

}  // namespace

NodeLoop::NodeLoop(Reader read, const Snapshot<DevicepluginConfig>& config, const Clock& clock,
                   NodeOutputs outputs)
    : read_(std::move(read)), config_(config), clock_(clock), outputs_(std::move(outputs)) {
  Read();
  thread_ = std::jthread([this](const std::stop_token& stop) { Run(stop); });
}

NodeLoop::~NodeLoop() {
  thread_.request_stop();
  thread_.join();
}

void NodeLoop::Poke() {
  {
    std::lock_guard lock(mutex_);
    poked_ = true;
  }
  wake_.notify_all();
}

void NodeLoop::Hear(std::vector<NicVerdict> verdicts) {
  std::lock_guard lock(mutex_);
  verdicts_ = std::move(verdicts);
}

MonotonicTime NodeLoop::last_turn() const {
  std::lock_guard lock(mutex_);
  return last_turn_;
}

void NodeLoop::Run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    MonotonicTime next = last_.read_at + kPoll;
    if (const auto change = book_.NextChange()) next = std::min(next, *change);
    const MonotonicTime earliest = last_.read_at + kPause;
    {
      std::unique_lock lock(mutex_);
      wake_.wait_until(lock, stop, std::max(next, earliest), [this] { return poked_; });
      wake_.wait_until(lock, stop, earliest, [] { return false; });
      poked_ = false;
    }
    if (!stop.stop_requested()) Read();
  }
}

void NodeLoop::Read() {
  const auto config = config_.Get();
  const MonotonicTime begin = clock_.Now();
  std::vector<NicVerdict> verdicts;
  {
    std::lock_guard lock(mutex_);
    verdicts = verdicts_;
  }
  NodeState now;
  now.inventory = read_({.netdevs = {}, .allow = config->gid_allow, .deny = config->gid_deny});
  book_.Configure({.down_after = config->health.down_after,
                   .up_after = config->health.up_after,
                   .remove_after = config->remove_after});
  now.read_at = clock_.Now();
  now.read_took = now.read_at - begin;
  now.watched = book_.Update(now.inventory, verdicts, now.read_at);
  now.inventory.hcas.clear();
  for (const WatchedHca& watched : now.watched) now.inventory.hcas.push_back(watched.hca);
  now.match = MatchPools(now.inventory, config->pools);
  now.reads = last_.reads + 1;
  std::vector<HcaVerdict> told;
  for (const WatchedHca& watched : now.watched) {
    told.push_back({.healthy = watched.healthy, .present = watched.present});
  }
  outputs_.offer.Publish(MakeOffer(now.inventory, now.match, told, *config));
  LogChanges(last_, now);
  last_ = now;
  outputs_.state.Publish(std::move(now));
  outputs_.published(last_);
  std::lock_guard lock(mutex_);
  last_turn_ = last_.read_at;
}

}  // namespace fairlead::deviceplugin
