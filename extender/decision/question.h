// One question of a scheduler, with all that is known at that moment.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/clock.h"
#include "extender/cluster/cluster_view.h"
#include "extender/decision/decision_record.h"
#include "extender/decision/offered_node.h"
#include "extender/decision/setup.h"
#include "extender/gang/gang_key.h"
#include "extender/gang/pod_facts.h"
#include "extender/gang/pod_wishes.h"
#include "extender/gang_plan/plan_in_force.h"
#include "extender/link/link_view.h"
#include "extender/moves_in_hand/moves_report.h"
#include "extender/relocation/destination.h"

namespace fairlead::extender {

// What is known while a question is answered. None is null but `moves`.
struct Knowledge {
  std::shared_ptr<const Setup> setup;
  std::shared_ptr<const ClusterView> cluster;
  std::shared_ptr<const LinkSnapshot> links;
  MonotonicTime now{};
  WallTime wall_now{};
  bool leads = true;                           // of the replicas, this one answers
  std::shared_ptr<const MovesReport> moves{};  // null: nobody carries out any
};

// What is wrong with a pod or its gang, for an Event on the pod.
struct PodFault {
  std::string_view reason;  // CamelCase
  std::string sentence;
};

struct Question {
  Knowledge known;
  const PodFacts& pod;
  std::span<const OfferedNode> nodes;

  // The gang that the pod belongs to; absent where there is nothing to say about the pod.
  std::optional<Gang> gang;
  std::optional<std::uint32_t> gang_size;
  std::vector<BoundMember> bound;  // its members without this pod, from cluster and scheduler
  Destination destination;         // by the record of its moves
  PodWishes wishes;
  PodNeeds needs;
  bool needs_known = false;  // as the cluster shows them; else they are what the request tells

  std::vector<std::string_view> sites;       // distinct, of the offered nodes
  std::vector<std::uint32_t> site_of;        // like nodes: index into sites, or kNone
  std::vector<std::uint32_t> node_of;        // like nodes: place in the cluster's nodes, or kNone
  std::vector<std::uint32_t> offered;        // like sites: nodes offered there
  std::vector<std::string_view> node_sites;  // like nodes; empty: not known
  std::vector<PodFault> faults;              // also among the record's notes
  DecisionRecord record;

  static constexpr std::uint32_t kNone = UINT32_MAX;

  std::optional<std::uint32_t> IndexOf(std::string_view site) const;
};

// `gang` as RecogniseGang says of the pod. It is left out, with a note that says so, where the pod
// claims one that it does not belong to, where another replica leads, and where the cluster has not
// been heard of for too long, or what the pod requests cannot be read.
Question Ask(std::string_view verb, const PodFacts& pod, std::optional<Gang> gang,
             std::span<const OfferedNode> nodes, Knowledge known);

}  // namespace fairlead::extender
