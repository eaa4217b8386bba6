#include "extender/mover/mover.h"

#include <algorithm>
#include <utility>

#include "common/base/log.h"
#include "extender/placement/explain.h"

namespace fairlead::extender {
namespace {

// At the watch's view while moves are open, and at who leads.
constexpr Nanoseconds kLook = Seconds(1);

void LogNews(const MoveNews& news) {
  const MoveRecord& record = news.record;
  LogInfo("migration: a move",
          {{"gang", news.name},
           {"news", NewsName(news)},
           {"move", record.number},
           {"step", MoveStepName(record.step)},
           {"lever", LeverName(news.lever)},
           {"from", DescribePlacement(record.from)},
           {"to", DescribePlacement(record.to)},
           {"stuck", record.stuck},
           {"why", news.text.empty() || record.number != 0 ? record.why : news.text}});
}

}  // namespace

Mover::Mover(const MoverSources& sources, MoveClient client, EventSink& events, std::string process)
    : sources_(sources),
      client_(std::move(client)),
      events_(events),
      process_(std::move(process)),
      moves_(process_),
      thread_([this](const std::stop_token& stop) { Run(stop); }) {}

void Mover::RoundMade(std::shared_ptr<const MigrationReport> decided) {
  {
    const std::lock_guard lock(mutex_);
    newest_ = std::move(decided);
  }
  changed_.notify_all();
}

void Mover::Stop() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

void Mover::Run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    Step(stop);
    std::unique_lock lock(mutex_);
    const auto heard = [this] { return newest_ != nullptr; };
    if (led_ && !moves_.NextDue()) {
      changed_.wait(lock, stop, heard);
    } else {
      changed_.wait_for(lock, stop, UntilNext(), heard);
    }
  }
}

Nanoseconds Mover::UntilNext() const {
  const auto due = moves_.NextDue();
  if (!due) return kLook;
  return std::clamp<Nanoseconds>(*due - sources_.clock.Now(), Milliseconds(1), kLook);
}

bool Mover::Leads() const { return sources_.leadership.Get()->LeadsAt(sources_.clock.Now()); }

MoveSurroundings Mover::Around(const Config& config) const {
  return {decided_, sources_.cluster.Get(), config.migration, Now()};
}

void Mover::TakeNewest() {
  const std::lock_guard lock(mutex_);
  if (newest_) decided_ = std::exchange(newest_, nullptr);
}

void Mover::Step(const std::stop_token& stop) {
  TakeNewest();
  if (!Leads()) {
    if (std::exchange(led_, false)) LogInfo("migration: another replica leads; moves are with it");
    moves_.Clear();
    return Publish(false);
  }
  led_ = true;
  while (!stop.stop_requested()) {
    TakeNewest();
    const auto config = sources_.config.Get();
    const MoveSurroundings around = Around(*config);
    moves_.Hear(around);
    const auto task = moves_.Next(around);
    TellNews();
    Publish(true);
    // One who was stopped for a while would act late.
    if (!task || !Leads()) break;
    Carry(*task, stop);
  }
}

void Mover::Carry(const MoveTask& task, const std::stop_token& stop) {
  const MoveTarget target{
      .namespace_name = task.gang.namespace_name, .owner = task.owner, .lever = task.lever};
  switch (task.kind) {
    case MoveTask::Kind::kFindOpen:
      return FindOpen(stop);
    case MoveTask::Kind::kFindOwner:
      return moves_.OnOwner(task.gang, FindOwner(target, stop), Now());
    case MoveTask::Kind::kRead: {
      const auto cluster = sources_.cluster.Get();
      auto facts = client_.Read(
          target, [&](std::string_view node) { return cluster->SiteOf(node); }, stop);
      return moves_.OnFacts(task.gang, std::move(facts), Now());
    }
    case MoveTask::Kind::kCall:
      if (task.tell) TellFirst(*task.tell, stop);
      if (!Leads()) return;
      return moves_.OnOutcome(task.gang, client_.Do(target, task.call, stop), Now());
  }
}

// What cannot be told now is told after the call as all else is.
void Mover::TellFirst(const MoveNews& news, const std::stop_token& stop) {
  const auto event = EventOf(news);
  if (event) moves_.OnTold(client_.Tell(*event, process_, Now().wall, stop));
}

void Mover::FindOpen(const std::stop_token& stop) {
  const auto found = client_.FindOpen(stop);
  const auto config = sources_.config.Get();
  if (!found) return moves_.OnLeftOpen(Fail(found.error()), Around(*config));
  std::vector<LeftOpen> open;
  for (const LeftOpenMove& move : found->moves) {
    open.push_back({move.target.namespace_name, move.target.owner, move.moves});
  }
  // Who moves nothing by such owners needs no right to list them.
  for (const std::string& kind : found->unread) {
    if (config->migration.mode != MigrationMode::kEnforce) break;
    LogWarning("migration: moves of this kind that were left open are not found", {{"why", kind}});
  }
  moves_.OnLeftOpen(std::move(open), Around(*config));
}

Result<FoundOwner> Mover::FindOwner(const MoveTarget& target, const std::stop_token& stop) {
  auto top = client_.FindOwner(target.namespace_name, target.owner, stop);
  if (!top) return Fail(top.error());
  return FoundOwner{.owner = std::move(top->owner),
                    .has_workload = top->has_workload,
                    .wants_eviction = top->wants_eviction,
                    .moves = std::move(top->moves)};
}

void Mover::TellNews() {
  for (const MoveNews& news : moves_.TakeNews()) {
    LogNews(news);
    if (auto event = EventOf(news)) events_.Tell(*std::move(event));
  }
}

void Mover::Publish(bool acts) {
  MovesReport report = moves_.Report();
  report.acts = acts;
  report_.Publish(std::move(report));
}

}  // namespace fairlead::extender
