// Answers schedulers: which of the offered nodes fit, and how well.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/clock.h"
#include "common/base/snapshot.h"
#include "extender/cluster/cluster_event.h"
#include "extender/decision/asked_pods.h"
#include "extender/decision/decision_log.h"
#include "extender/decision/gang_seats.h"
#include "extender/decision/question.h"
#include "extender/leader/leadership.h"
#include "extender/lease/lease_question.h"
#include "extender/moves_in_hand/moves_report.h"
#include "extender/placement/site_filter.h"

namespace fairlead::extender {

struct NodeRefusal {
  std::string sentence;  // for the pod's FailedScheduling event
  // No preemption can help: a line that is Down, a limit of the pod's own. False: a gang's plan, or
  // a move's room, which change.
  bool final = true;
};

// `why_not[i]` is 0 where the i-th offered node fits, else 1 + the index of its refusal.
struct FilterDecision {
  std::vector<std::uint32_t> why_not;
  std::vector<NodeRefusal> refusals;
};

// In which numbers a protocol takes scores.
struct ScoreScale {
  double factor = 1;  // of the 0 to 10 points
  bool whole = true;  // rounds to whole numbers, so that what differs less is equal
};

// How a scheduler asks which nodes fit.
enum class FilterAsk {
  kAllNodes,  // all candidates at once: a single one left is where the pod goes
  kEachNode,  // one call for each: none is chosen yet, and only refusals are worth the log
};

struct DeciderSources {
  const Snapshot<Setup>& setup;
  const Snapshot<ClusterView>& cluster;
  const Snapshot<LinkSnapshot>& links;
  const Snapshot<Leadership>& leadership;
  const Clock& clock;
  // Of who carries out moves; null: nobody does.
  const Snapshot<MovesReport>* moves = nullptr;
};

// An answer is not a commitment: schedulers simulate, roll back and skip questions. What is
// believed of a pod holds until the next answer for it, until the cluster shows it, or for the
// gang's time to live. Thread-safe; one decision at a time.
class Decider {
 public:
  // What it works with must outlive it.
  Decider(const DeciderSources& sources, DecisionLog& log, EventSink& events);

  // A score of 0 to 10 points, times the scale's factor, for each offered node, in order. The site
  // of the pod's seat in its gang's plan has 10, others at most 9. 5 points for all where there is
  // no opinion, and for nodes of no known site.
  std::vector<double> Prioritize(const PodFacts& pod, std::span<const OfferedNode> nodes,
                                 ScoreScale scale = {});

  // Refuses nodes for hard facts, and those off the plan that is in force for the pod's gang. Lines
  // that are Down refuse nothing when no site with room would be left in the whole cluster.
  FilterDecision Filter(const PodFacts& pod, std::span<const OfferedNode> nodes,
                        FilterAsk ask = FilterAsk::kAllNodes);

  // Lines that gangs cross, for who must not disturb them. Not known while the cluster has not been
  // heard of for so long that nothing is said of gangs.
  GangLines LinesOfGangs();

  // What a gang of this view of the cluster finds if it leaves as a whole: what nodes have free,
  // its own places counted in, without what other gangs are promised or is kept for moves that come
  // before its own.
  WholeRoom RoomOfWhole(const GangView& gang, std::shared_ptr<const ClusterView> cluster);

 private:
  // The pod's gang, once the cluster shows what it can be expected to show of it.
  std::optional<Gang> AwaitedGang(const PodFacts& pod);
  Question Open(std::string_view verb, const PodFacts& pod, std::optional<Gang> gang,
                std::span<const OfferedNode> nodes);
  PlacementRequest RequestOf(Question& question);
  Knowledge Known(std::shared_ptr<const ClusterView> cluster) const;
  // Of offered sites that are out of the question, whatever is planned.
  std::vector<SiteRefusal> Refusals(Question& question, PlacementRequest& request);
  bool WholeClusterDown(const Question& question, PlacementRequest& request) const;
  SeatDecision Seat(Question& question, const std::vector<SiteRefusal>& refusals);
  std::vector<double> PointsBySite(Question& question, PlacementRequest& request,
                                   const SeatDecision& seat);
  void Assume(Question& question, std::string_view node);
  std::string_view BestNode(const Question& question, const std::vector<double>& scores) const;
  void Tell(const Question& question, const SeatDecision& seat);
  void Close(Question question);

  const DeciderSources sources_;
  DecisionLog& log_;
  EventSink& events_;

  AskedPods asked_;
  std::mutex mutex_;
  GangSeats seats_;
};

}  // namespace fairlead::extender
