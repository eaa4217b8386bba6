// The cluster as lists and watches of the API server tell it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "extender/cluster/cluster_node.h"
#include "extender/cluster/cluster_pod.h"
#include "extender/cluster/cluster_view.h"
#include "extender/cluster/gang_book.h"
#include "extender/cluster/interned.h"
#include "extender/cluster/member.h"
#include "extender/cluster/node_book.h"
#include "extender/cluster/pod_group.h"

namespace fairlead::extender {

// Single-threaded. Objects come in any order, also pods before their nodes; the view depends on
// what there is, not on the order in which it came. An update that changes nothing that matters
// costs a comparison and makes no new view. Nodes are known by name, pods and Jobs by uid.
class ClusterState {
 public:
  explicit ClusterState(std::string site_label) : nodes_(std::move(site_label)) {}
  ClusterState(const ClusterState&) = delete;
  ClusterState& operator=(const ClusterState&) = delete;

  void SetSiteLabel(std::string site_label);

  void Upsert(ClusterNode node);
  void RemoveNode(std::string_view name);
  void Replace(std::vector<ClusterNode> nodes);

  void Upsert(ClusterPod pod);
  void RemovePod(const std::string& uid);
  void Replace(std::vector<ClusterPod> pods);

  void Upsert(PodGroup group);
  void RemovePodGroup(PodGroupKind kind, std::string namespace_name, std::string name);
  void Replace(PodGroupKind kind, std::vector<PodGroup> groups);  // those of other kinds stay

  void Upsert(BatchJob job);
  void RemoveJob(std::string_view uid);
  void Replace(std::vector<BatchJob> jobs);

  // Whether the next view differs from the last one in more than `heard`.
  bool dirty() const { return dirty_ || nodes_.dirty() || gangs_.dirty(); }
  // What has not changed is shared with the views before. Costs a copy of the nodes' capacities
  // where one of them changed, and of one pointer a gang where a gang did.
  ClusterView Publish(const HeardTimes& heard);

 private:
  Member Keep(ClusterPod pod);
  void Enter(const Member& member);
  void Leave(const Member& member);

  NodeBook nodes_;
  GangBook gangs_;
  std::unordered_map<std::string, Member> pods_;  // by uid
  std::size_t pending_ = 0;
  std::size_t unreadable_ = 0;
  Interned<PodNeeds> needs_;
  Interned<OwnerFacts> controllers_;
  Interned<MoveWishes> wishes_;
  Interned<GangKey> keys_;
  bool dirty_ = false;  // a pod came or went that is in no gang and on no node
  ClusterView::Parts parts_;
};

}  // namespace fairlead::extender
