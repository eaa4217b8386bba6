#include "extender/decision/beliefs.h"

#include <algorithm>

#include "extender/cluster/amounts.h"

namespace fairlead::extender {

Beliefs::Pods::iterator Beliefs::End(Pods::iterator pod) {
  by_age_.erase({pod->second.since, pod->first});
  const auto there = on_node_.find(pod->second.node);
  there->second.erase(pod->first);
  if (there->second.empty()) on_node_.erase(there);
  const auto peers = of_gang_.find(pod->second.gang);
  peers->second.erase(pod->first);
  if (peers->second.empty()) of_gang_.erase(peers);
  return pods_.erase(pod);
}

void Beliefs::Believe(std::string_view uid, const GangKey& gang, std::string_view node,
                      Amounts requests, MonotonicTime now) {
  if (const auto before = pods_.find(uid); before != pods_.end()) End(before);
  if (uid.empty() || node.empty()) return;
  on_node_[std::string(node)].emplace(uid);
  of_gang_[gang].emplace(uid);
  by_age_.emplace(now, uid);
  pods_.emplace(
      uid,
      Belief{
          .gang = gang, .node = std::string(node), .requests = std::move(requests), .since = now});
}

void Beliefs::Expire(Nanoseconds ttl, MonotonicTime now) {
  while (!by_age_.empty() && now - by_age_.begin()->first >= ttl) {
    End(pods_.find(by_age_.begin()->second));
  }
}

void Beliefs::Forget(const GangKey& gang) {
  const auto found = of_gang_.find(gang);
  if (found == of_gang_.end()) return;
  const std::set<std::string> uids = found->second;
  for (const std::string& uid : uids) End(pods_.find(uid));
}

void Beliefs::Compare(const ClusterView& cluster) {
  for (auto pod = pods_.begin(); pod != pods_.end();) {
    const GangView* const gang = cluster.FindGang(pod->second.gang);
    const bool shown =
        gang != nullptr &&
        std::ranges::binary_search(gang->bound, pod->first, std::ranges::less{}, &BoundMember::uid);
    pod = shown ? End(pod) : std::next(pod);
  }
}

std::vector<std::pair<std::string_view, std::string_view>> Beliefs::Members(
    const GangKey& gang, std::string_view except_uid) const {
  std::vector<std::pair<std::string_view, std::string_view>> members;
  const auto found = of_gang_.find(gang);
  if (found == of_gang_.end()) return members;
  for (const std::string& uid : found->second) {
    if (uid != except_uid) members.emplace_back(uid, pods_.find(uid)->second.node);
  }
  return members;
}

Amounts Beliefs::Taken(std::string_view node, std::string_view except_uid) const {
  Amounts taken;
  const auto there = on_node_.find(node);
  if (there == on_node_.end()) return taken;
  for (const std::string& uid : there->second) {
    if (uid != except_uid) Add(taken, pods_.find(uid)->second.requests);
  }
  return taken;
}

NodesLeft Beliefs::Left(const ClusterView& cluster, std::string_view except_uid) const {
  NodesLeft left;
  if (pods_.empty()) return left;
  left.resize(cluster.nodes().size());
  for (const auto& [node, uids] : on_node_) {
    if (const auto place = cluster.Find(node)) {
      left[*place] = LeftOf(cluster.nodes()[*place], except_uid);
    }
  }
  return left;
}

NodeLeft Beliefs::LeftOf(const NodeCapacity& node, std::string_view except_uid) const {
  NodeLeft left{.free = node.free, .pods = node.pods};
  const auto there = on_node_.find(node.name);
  if (there == on_node_.end()) return left;
  const std::set<std::string>& uids = there->second;
  Subtract(left.free, Taken(node.name, except_uid));
  left.pods -= static_cast<std::int64_t>(uids.size() - uids.count(std::string(except_uid)));
  return left;
}

}  // namespace fairlead::extender
