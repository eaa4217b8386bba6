#include "deviceplugin/node/node_loop.h"

#include <algorithm>
#include <utility>

#include "common/base/log.h"
#include "deviceplugin/node/judge_node.h"
#include "deviceplugin/node/node_changes.h"

namespace fairlead::deviceplugin {
namespace {

// For what no event and no quick look tells. A reading of 16 HCAs takes tens of milliseconds.
constexpr Nanoseconds kPoll = Seconds(60);
constexpr Nanoseconds kAgain = Seconds(1);  // after a reading that failed
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
    const MonotonicTime read_at = last_turn();
    MonotonicTime next = read_at + (again_ ? kAgain : kPoll);
    if (const auto change = book_.NextChange()) next = std::min(next, *change);
    const MonotonicTime earliest = read_at + kPause;
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
  auto inventory = read_({.netdevs = {}, .allow = config->gid_allow, .deny = config->gid_deny});
  const MonotonicTime end = clock_.Now();
  again_ = !inventory;
  if (!inventory) return Failed(end);
  const auto before = outputs_.state.Get();
  auto [now, offer] =
      JudgeNode(*std::move(inventory), book_, verdicts, *config, {.begin = begin, .end = end});
  now.read_took = end - begin;
  now.reads = before->reads + 1;
  LogChanges(*before, now);
  outputs_.offer.Publish(std::move(offer));
  outputs_.state.Publish(std::move(now));
  outputs_.published(*outputs_.state.Get());
  std::lock_guard lock(mutex_);
  last_turn_ = end;
}

void NodeLoop::Failed(MonotonicTime end) {
  if (const auto held_back = failures_told_.Pass(end)) {
    LogWarning("the node could not be read and counts as it was: no descriptors or memory left",
               {{"untold", *held_back}});
  }
  std::lock_guard lock(mutex_);
  last_turn_ = end;
}

}  // namespace fairlead::deviceplugin
