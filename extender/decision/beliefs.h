// What pods that are not yet seen bound will take of the nodes.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/clock.h"
#include "extender/cluster/cluster_view.h"
#include "extender/gang/gang_key.h"
#include "extender/gang_plan/capacity.h"
#include "extender/gang_plan/node_capacity.h"

namespace fairlead::extender {

// An answer to a scheduler commits it to nothing, so each belief is superseded by the next about
// the same pod, ends by time, and ends when the cluster shows the pod. Single-threaded.
class Beliefs {
 public:
  // The pod goes to `node` and takes `requests` there. A pod without a uid is not remembered.
  void Believe(std::string_view uid, const GangKey& gang, std::string_view node, Amounts requests,
               MonotonicTime now);
  // Ends what is older than `ttl`.
  void Expire(Nanoseconds ttl, MonotonicTime now);
  // Ends what is believed of the gang's members.
  void Forget(const GangKey& gang);
  // Ends what the cluster shows.
  void Compare(const ClusterView& cluster);

  // Where members of a gang other than `except_uid` are believed to go: uid and node.
  std::vector<std::pair<std::string_view, std::string_view>> Members(
      const GangKey& gang, std::string_view except_uid) const;
  // What pods other than `except_uid` leave of the cluster's nodes.
  NodesLeft Left(const ClusterView& cluster, std::string_view except_uid) const;
  // The same of one node.
  NodeLeft LeftOf(const NodeCapacity& node, std::string_view except_uid) const;
  // What other pods are believed to take of one node.
  Amounts Taken(std::string_view node, std::string_view except_uid) const;

  bool empty() const { return pods_.empty(); }

 private:
  struct Belief {
    GangKey gang;
    std::string node;
    Amounts requests;
    MonotonicTime since{};
  };
  using Pods = std::map<std::string, Belief, std::less<>>;

  Pods::iterator End(Pods::iterator pod);

  Pods pods_;                                                          // by uid
  std::set<std::pair<MonotonicTime, std::string>> by_age_;             // since, uid
  std::map<std::string, std::set<std::string>, std::less<>> on_node_;  // uids
  std::map<GangKey, std::set<std::string>> of_gang_;                   // uids
};

}  // namespace fairlead::extender
