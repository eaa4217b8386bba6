// What was decided for a pod and why, kept for people who ask.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "extender/placement/placement_request.h"

namespace fairlead::extender {

// One site of a decision. `sentence` names the numbers behind the score or the refusal.
struct SiteDecision {
  std::string site;
  std::uint32_t offered_nodes = 0;
  std::optional<int> score;       // of prioritize
  bool refused = false;           // by filter
  std::optional<double> seconds;  // predicted communication time a step
  SiteCounts placement;           // members by site in the best completion with this pod here
  std::string sentence;
};

struct DecisionRecord {
  std::uint64_t number = 0;  // counts up from 1
  WallTime at{};
  std::string verb;  // "filter" or "prioritize"
  std::string pod;   // namespace/name
  std::string uid;
  std::string gang;                        // empty: the pod belongs to none
  std::optional<std::uint32_t> gang_size;  // where the pod tells
  SiteCounts members;                      // already placed, by site
  std::uint32_t offered_nodes = 0;
  std::uint32_t nodes_without_site = 0;  // offered, but of no known site
  std::vector<SiteDecision> sites;       // sorted by name
  std::string plan;                      // why the gang's plan is as it is; empty: it has none
  std::string seat;                      // the site of the pod's seat in it; empty: none
  std::string assumed_node;              // where the pod is believed to go; may be empty
  std::vector<std::string> notes;        // annotations that were ignored, and the like
};

}  // namespace fairlead::extender
