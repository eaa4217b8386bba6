#include "extender/replay/gang_stands.h"

#include <algorithm>
#include <utility>

#include "extender/migration_round/moving_cost_of.h"
#include "extender/placement/line_occupancy.h"

namespace fairlead::extender {
namespace {

GangKey KeyOf(const ReplayGang& gang) {
  return {.kind = "job", .namespace_name = gang.namespace_name, .id = gang.name, .incarnation = {}};
}

std::uint32_t SizeOf(const SiteCounts& members) {
  std::uint32_t size = 0;
  for (const auto& [site, count] : members) size += count;
  return size;
}

// Records of moves have whole seconds.
WallTime WholeSecond(WallTime at) { return std::chrono::floor<Seconds>(at); }

}  // namespace

Nanoseconds StandstillOf(const MoveWishes& wishes, const MovingCostDefaults& defaults) {
  const MovingCost cost = MovingCostOf(wishes, defaults, WallTime{});
  return cost.checkpoint_write.time + cost.requeue.time + cost.restart.time;
}

GangStands::GangStands(const ReplayJobs& jobs, const MovingCostDefaults& defaults)
    : jobs_(jobs), defaults_(defaults), stands_(jobs.gangs.size()) {
  for (std::size_t i = 0; i < stands_.size(); ++i) {
    stands_[i].members = jobs.gangs[i].members;
    by_key_.emplace_back(KeyOf(jobs.gangs[i]), i);
  }
  std::ranges::sort(by_key_);
}

void GangStands::Advance(WallTime now) {
  now_ = now;
  for (std::size_t i = 0; i < stands_.size(); ++i) {
    const ReplayGang& gang = jobs_.gangs[i];
    Stand& stand = stands_[i];
    stand.ended = gang.end && *gang.end <= now;
    const bool runs = gang.RunsAt(now);
    if (runs && !stand.runs) {
      // One that ran before the recording is taken to have run for long.
      stand.running_since = gang.start.value_or(now - std::chrono::days(1));
      stand.runs = true;
      Show(i);
    }
    stand.runs = runs;
    MoveRecord& move = stand.moves.current;
    if (move.open() && now - move.began >= StandstillOf(gang.wishes, defaults_)) {
      move.step = MoveStep::kClosed;
      move.outcome = MoveOutcome::kDone;
      move.since = WholeSecond(now);
      stand.running_since = now;
      Show(i);
    }
  }
}

void GangStands::Move(std::size_t gang, const SiteCounts& to, const std::vector<SitePair>& left,
                      const std::string& why) {
  Stand& stand = stands_[gang];
  MoveRecord move;
  move.number = stand.moves.current.number + 1;
  move.step = MoveStep::kFollow;
  move.lever = LeverKind::kSuspend;
  move.began = move.since = WholeSecond(now_);
  move.from = stand.members;
  move.to = to;
  move.left = left;
  move.by = "replay";
  move.why = why;
  stand.moves = WithNext(stand.moves, std::move(move));
  stand.members = to;
  Show(gang);
}

void GangStands::Show(std::size_t gang) {
  const ReplayGang& job = jobs_.gangs[gang];
  const Stand& stand = stands_[gang];
  GangView view;
  view.key = KeyOf(job);
  view.size = SizeOf(stand.members);
  for (const auto& [site, count] : stand.members) {
    for (std::uint32_t i = 0; i < count; ++i) {
      view.bound.push_back({.uid = {}, .site = site, .node = {}, .rank = {}});
    }
  }
  view.needs = needs_;
  view.wishes = std::make_shared<const MoveWishes>(job.wishes);
  if (!stand.moves.current.open()) {
    view.ready = *view.size;
    view.running_since = stand.running_since;
  }
  view.owner = {.object = {.kind = "Job",
                           .name = job.name,
                           .uid = job.Name(),
                           .controller = true,
                           .api_version = "batch/v1"},
                .moves = RecordedMoves(WriteMoves(stand.moves)),
                .followed = true};
  stands_[gang].view = std::make_shared<const GangView>(std::move(view));
}

ClusterView GangStands::View() const {
  auto gangs = std::make_shared<ClusterView::Gangs>();
  for (const auto& [key, i] : by_key_) {
    if (stands_[i].runs) gangs->push_back(stands_[i].view);
  }
  ClusterView::Parts parts;
  parts.gangs = std::move(gangs);
  return ClusterView(std::move(parts));
}

std::size_t GangStands::IndexOf(const GangKey& key) const {
  const auto found = std::ranges::lower_bound(
      by_key_, key, {}, [](const auto& entry) -> const GangKey& { return entry.first; });
  return found == by_key_.end() || found->first != key ? stands_.size() : found->second;
}

WholeRoom GangStands::RoomOf(std::size_t gang) const {
  WholeRoom whole{.room = jobs_.room, .occupancy = {}};
  std::vector<SiteCounts> others;
  for (std::size_t i = 0; i < stands_.size(); ++i) {
    if (i == gang || stands_[i].ended) continue;
    if (stands_[i].runs) others.push_back(stands_[i].members);
    for (const auto& [site, count] : stands_[i].members) {
      std::uint32_t& room = whole.room[site];
      room -= std::min(room, count);
    }
  }
  whole.occupancy = CountCrossings(others);
  return whole;
}

}  // namespace fairlead::extender
