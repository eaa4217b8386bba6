// Answers schedulers: which of the offered nodes fit, and how well.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/clock.h"
#include "common/base/snapshot.h"
#include "extender/decision/decision_log.h"
#include "extender/decision/offered_node.h"
#include "extender/decision/setup.h"
#include "extender/gang/assumed_table.h"
#include "extender/gang/pod_facts.h"
#include "extender/inventory/reservations.h"
#include "extender/link/link_view.h"
#include "extender/placement/placement_request.h"

namespace fairlead::extender {

// `why_not[i]` is 0 where the i-th offered node fits, else 1 + the index of its sentence.
struct FilterDecision {
  std::vector<std::uint32_t> why_not;
  std::vector<std::string> sentences;
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

// Holds what is believed of pods not yet seen bound: an answer is not a commitment, so each newer
// answer for a pod supersedes the one before. Thread-safe; one decision at a time.
class Decider {
 public:
  Decider(const Snapshot<Setup>& setup, const Snapshot<LinkSnapshot>& links, const Clock& clock,
          DecisionLog& log);

  // A score of 0 to 10 points, times the scale's factor, for each offered node, in order. 5 points
  // for nodes of no known site.
  std::vector<double> Prioritize(const PodFacts& pod, std::span<const OfferedNode> nodes,
                                 ScoreScale scale = {});

  // Refuses nodes for hard facts only: a line that is Down, a limit of the pod's own. Lines that
  // are Down refuse nothing when no site with room would be left in the whole cluster.
  FilterDecision Filter(const PodFacts& pod, std::span<const OfferedNode> nodes,
                        FilterAsk ask = FilterAsk::kAllNodes);

 private:
  struct Case;

  using GangSites = std::pair<GangKey, SiteCounts>;

  Case Open(std::string_view verb, const PodFacts& pod, std::span<const OfferedNode> nodes);
  SiteCounts FreeMembers(const Case& question) const;
  LineOccupancy OthersOccupancy(const Case& question);
  void Assume(Case& question, std::string_view node);
  bool WholeClusterDown(const Case& question) const;
  std::string_view BestNode(const Case& question, const std::vector<double>& scores) const;

  const Snapshot<Setup>& setup_;
  const Snapshot<LinkSnapshot>& links_;
  const Clock& clock_;
  DecisionLog& log_;

  std::mutex mutex_;
  AssumedTable assumed_;
  Reservations reservations_;
  std::vector<GangSites> spanning_;  // gangs on several sites, counted anew once a second
  MonotonicTime spanning_at_{};
};

}  // namespace fairlead::extender
