// Where gangs stand in the course of a replay, as the decision sees a cluster.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/base/clock.h"
#include "extender/cluster/cluster_view.h"
#include "extender/gang_plan/whole_room.h"
#include "extender/relocation/move_record.h"
#include "extender/replay/replay_jobs.h"

namespace fairlead::extender {

// How long a gang stands still when it is moved: what MovingCost has besides lost work.
Nanoseconds StandstillOf(const MoveWishes& wishes, const MovingCostDefaults& defaults);

// Each gang is a Job of its own that is moved by `suspend`. From its start to its end a gang takes
// up room; before, it keeps the room that it is going to have, so that nobody is in its way.
// Single-threaded; `jobs` must outlive it.
class GangStands {
 public:
  GangStands(const ReplayJobs& jobs, const MovingCostDefaults& defaults);

  // To a moment not before the last one: gangs start and end, moves end.
  void Advance(WallTime now);
  // Begins a move at the moment of the last Advance. The gang is gone from where it was at once,
  // and runs in its new place after StandstillOf.
  void Move(std::size_t gang, const SiteCounts& to, const std::vector<SitePair>& left,
            const std::string& why);

  bool Runs(std::size_t gang) const { return stands_[gang].runs; }
  const SiteCounts& MembersOf(std::size_t gang) const { return stands_[gang].members; }
  // The gangs that run, by key.
  ClusterView View() const;
  // The gang's place in `jobs`.
  std::size_t IndexOf(const GangKey& key) const;
  // What the gang finds as a whole, its own room counted as free.
  WholeRoom RoomOf(std::size_t gang) const;

 private:
  struct Stand {
    SiteCounts members;
    MoveHistory moves;
    WallTime running_since{};
    bool runs = false;
    bool ended = false;
    std::shared_ptr<const GangView> view;
  };
  void Show(std::size_t gang);

  const ReplayJobs& jobs_;
  const MovingCostDefaults defaults_;
  std::shared_ptr<const PodNeeds> needs_ = std::make_shared<const PodNeeds>();
  WallTime now_{};
  std::vector<Stand> stands_;
  std::vector<std::pair<GangKey, std::size_t>> by_key_;  // sorted
};

}  // namespace fairlead::extender
