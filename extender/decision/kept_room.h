// Room at the places that gangs are being moved to, which no other gang gets.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "common/base/clock.h"
#include "extender/cluster/cluster_view.h"
#include "extender/gang/gang_key.h"
#include "extender/gang_plan/node_capacity.h"
#include "extender/moves_in_hand/moves_report.h"
#include "extender/relocation/destination.h"

namespace fairlead::extender {

// Where one gang is being moved to.
struct KeptPlace {
  GangKey gang;
  std::uint32_t move = 0;  // its number
  SiteCounts to;
  std::shared_ptr<const PodNeeds> needs;  // of one member; not null
};

// Single-threaded. A place is kept from the moment that the move is in hand until it ends, or until
// its pods have waited in vain for as long as DestinationOf binds them. Of two moves that want the
// same room the one that has begun to disturb its gang comes first, then the earlier one.
class KeptRoom {
 public:
  // The moves of now. Of a gang that the cluster does not show at this moment, as between two
  // generations of its pods, the needs are those that were last seen; where none ever were, no room
  // is kept, for nobody knows how much.
  void Follow(const MovesReport& moves, const ClusterView& cluster, const MoveTimes& times,
              WallTime now);

  // What others have before this gang: all of them where it is not being moved itself. The first
  // ones first; valid until Follow.
  std::span<const KeptPlace> Before(const GangKey& gang) const;

 private:
  std::vector<KeptPlace> places_;
  std::map<GangKey, std::shared_ptr<const PodNeeds>> needs_;  // of gangs that are being moved
};

}  // namespace fairlead::extender
