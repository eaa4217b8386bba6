// Where gangs are planned to be and their members are believed to go.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/clock.h"
#include "extender/cost/line_matrix.h"
#include "extender/decision/beliefs.h"
#include "extender/decision/kept_room.h"
#include "extender/decision/question.h"
#include "extender/gang_plan/plan_table.h"
#include "extender/gang_plan/seat_pod.h"
#include "extender/gang_plan/whole_room.h"
#include "extender/placement/placement_request.h"
#include "extender/placement/site_filter.h"

namespace fairlead::extender {

// Every question here is one about a gang. Single-threaded.
class GangSeats {
 public:
  // Ends what its time is over for, and whatever is held for gangs that the cluster showed and that
  // are gone, and keeps room for moves; before anything else is asked about a question.
  void Begin(const Question& question);

  // The pod's seat, in the plan in force or a new one, in which no further member goes to the
  // `excluded` sites. While a move of the gang binds, its plan is the place where it goes, of pods
  // of after the move alone, and a pod that is offered no node there waits. Lines that were left
  // are in a plan only where nothing else is to be had.
  SeatDecision Seat(const Question& question, std::vector<std::string> excluded);
  // The pod is believed to go to this node of the cluster.
  void Assume(const Question& question, std::string_view node);

  // Other members that are bound, or believed to be, by site.
  SiteCounts Members(const Question& question) const;
  // Offered sites that have room, all of which is kept for gangs that are being moved there; none
  // for a gang on its own move's way.
  std::vector<SiteRefusal> Kept(const Question& question) const;
  // Further members that fit, by site, without what other gangs have been promised or is kept for
  // them; in all of the cluster or on the offered nodes alone.
  SiteCounts Room(const Question& question, bool only_offered = false) const;
  // Lines that other gangs cross.
  LineOccupancy Occupancy(const Question& question);
  // Lines that any gang crosses: where its members are bound, or are planned to be.
  LineOccupancy OccupancyOfAll(const ClusterView& cluster, MonotonicTime now);
  // What the gang finds that leaves as a whole, without what is promised to others, kept for moves
  // that come before its own, or believed of others. Of a gang whose pods' needs are not known
  // there is no room.
  WholeRoom RoomOfWhole(const GangView& gang, const Knowledge& known);
  // Whether a node of the cluster, by its place, has room for the pod.
  bool HasRoom(const Question& question, std::uint32_t place) const;

 private:
  struct Planned {
    bool shown = false;      // in the cluster
    std::uint32_t move = 0;  // for which the plan was made; 0: for none
  };

  void KeepRoom(const Knowledge& known);
  // Members of the gang that are still to come to its new place.
  SiteCounts Coming(const KeptPlace& place, const ClusterView& cluster) const;
  std::vector<PromisedMembers> PromisedBesides(const GangKey& asker,
                                               const ClusterView& cluster) const;
  SiteCounts RoomBeside(const Question& question, std::span<const PromisedMembers> promised,
                        bool only_offered) const;
  bool OthersHaveRoom(const Question& question) const;
  Planned& PlannedOf(const Question& question);

  void EndGone(const ClusterView& cluster);
  LineOccupancy OccupancyBut(const GangKey& except, const ClusterView& cluster, MonotonicTime now);

  PlanTable plans_;
  Beliefs beliefs_;
  KeptRoom kept_;
  std::map<GangKey, Planned> planned_;  // gangs with a plan
  std::shared_ptr<const ClusterView> compared_;
  std::vector<std::pair<GangKey, SiteCounts>> spanning_;  // gangs on several sites
  MonotonicTime spanning_at_{};
};

}  // namespace fairlead::extender
