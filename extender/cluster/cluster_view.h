// The cluster at one moment: what nodes have left and where the members of gangs are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/clock.h"
#include "extender/cluster/cluster_node.h"
#include "extender/cluster/gang_view.h"
#include "extender/cluster/node_names.h"
#include "extender/gang/gang_key.h"
#include "extender/gang_plan/node_capacity.h"

namespace fairlead::extender {

// When the API server last said something about a resource; absent: never.
struct HeardTimes {
  std::optional<MonotonicTime> nodes;
  std::optional<MonotonicTime> pods;
  std::optional<MonotonicTime> jobs;
  std::optional<MonotonicTime> pod_groups;  // of the kind heard of longest ago

  bool operator==(const HeardTimes&) const = default;
};

// An immutable value; copies and successors share what is the same in them.
class ClusterView {
 public:
  using Gangs = std::vector<std::shared_ptr<const GangView>>;
  struct Parts {
    std::shared_ptr<const NodeNames> names = std::make_shared<const NodeNames>();
    std::shared_ptr<const std::vector<NodeCapacity>> nodes =
        std::make_shared<const std::vector<NodeCapacity>>();
    std::shared_ptr<const std::vector<std::shared_ptr<const ClusterNode>>> facts =
        std::make_shared<const std::vector<std::shared_ptr<const ClusterNode>>>();
    std::shared_ptr<const Gangs> gangs = std::make_shared<const Gangs>();
    HeardTimes heard;
    std::uint64_t nodes_revision = 0;
    std::size_t pods = 0;
    std::size_t pending_pods = 0;
    std::size_t unreadable_nodes = 0;
    std::size_t unreadable_pods = 0;
  };

  ClusterView() = default;  // knows nothing
  explicit ClusterView(Parts parts) : parts_(std::move(parts)) {}

  // By name. Free is what the pods of the view leave, members that are not bound not counted.
  std::span<const NodeCapacity> nodes() const { return *parts_.nodes; }
  // The place of a node in nodes().
  std::optional<std::uint32_t> Find(std::string_view name) const {
    return parts_.names->Find(name);
  }
  const NodeNames& names() const { return *parts_.names; }
  std::string_view SiteOf(std::string_view name) const { return parts_.names->SiteOf(name); }
  const std::vector<std::string>& sites() const { return parts_.names->sites(); }
  // Allocatable, and all else that does not come from pods; by the place in nodes().
  const ClusterNode& facts(std::uint32_t node) const { return *(*parts_.facts)[node]; }
  // Another number when a node came, went or changed in anything but what is free.
  std::uint64_t nodes_revision() const { return parts_.nodes_revision; }

  // By key. Also gangs without pods, of which only a PodGroup or Job tells.
  std::span<const std::shared_ptr<const GangView>> gangs() const { return *parts_.gangs; }
  // Null when it is not known.
  const GangView* FindGang(const GangKey& key) const;
  // What the pod tells, or else its PodGroup, Jobs or peers.
  std::optional<std::uint32_t> SizeOf(const Gang& gang) const;
  // What one of them tells that is no size of a gang; empty: none does.
  std::string SizeFaultOf(const Gang& gang) const;
  // MembershipFault by what is known of the owners.
  std::string MembershipFaultOf(const PodFacts& pod, const GangKey& gang) const;

  std::size_t pods() const { return parts_.pods; }                  // that are not finished
  std::size_t pending_pods() const { return parts_.pending_pods; }  // of them, without a node
  // Nodes of which something allocatable, pods of which a request cannot be read.
  std::size_t unreadable_nodes() const { return parts_.unreadable_nodes; }
  std::size_t unreadable_pods() const { return parts_.unreadable_pods; }

  const HeardTimes& heard() const { return parts_.heard; }
  // Time since nodes or pods were last heard of, whichever is longer; nothing before both were.
  std::optional<Nanoseconds> Age(MonotonicTime now) const;

 private:
  const GangView* FindKnown(const Gang& gang) const;

  Parts parts_;
};

}  // namespace fairlead::extender
