#include "extender/cluster/cluster_state.h"

#include <set>
#include <unordered_set>
#include <utility>

namespace fairlead::extender {

void ClusterState::SetSiteLabel(std::string site_label) {
  if (nodes_.SetSiteLabel(std::move(site_label))) gangs_.SitesChanged();
}

void ClusterState::Upsert(ClusterNode node) {
  if (nodes_.Upsert(std::move(node))) gangs_.SitesChanged();
}

void ClusterState::RemoveNode(std::string_view name) {
  if (nodes_.Remove(name)) gangs_.SitesChanged();
}

void ClusterState::Replace(std::vector<ClusterNode> nodes) {
  if (nodes_.Replace(std::move(nodes))) gangs_.SitesChanged();
}

Member ClusterState::Keep(ClusterPod pod) {
  Member member;
  member.uid = std::move(pod.uid);
  member.name = std::move(pod.name);
  member.node = std::move(pod.node);
  member.needs = needs_.Get(std::move(pod.needs));
  member.controller = controllers_.Get(std::move(pod.controller));
  if (pod.gang) {
    member.gang = keys_.Get(std::move(pod.gang->key));
    member.size = pod.gang->size;
    member.rank = pod.gang->rank;
    member.wishes = wishes_.Get(std::move(pod.wishes));
    member.ready = pod.ready;
    member.ready_since = pod.ready_since;
  }
  member.terminating = pod.terminating;
  return member;
}

void ClusterState::Enter(const Member& member) {
  dirty_ = true;
  if (!member.needs->unreadable.empty()) ++unreadable_;
  if (member.gang) gangs_.Add(member);
  if (member.node.empty()) {
    ++pending_;
  } else {
    nodes_.Occupy(member.node, *member.needs);
  }
}

void ClusterState::Leave(const Member& member) {
  dirty_ = true;
  if (!member.needs->unreadable.empty()) --unreadable_;
  if (member.gang) gangs_.Remove(member);
  if (member.node.empty()) {
    --pending_;
  } else {
    nodes_.Vacate(member.node, *member.needs);
  }
}

void ClusterState::Upsert(ClusterPod pod) {
  if (pod.finished) return RemovePod(pod.uid);
  Member member = Keep(std::move(pod));
  const auto found = pods_.find(member.uid);
  if (found != pods_.end()) {
    if (found->second == member) return;
    Leave(found->second);
    found->second = std::move(member);
    return Enter(found->second);
  }
  std::string uid = member.uid;
  Enter(pods_.emplace(std::move(uid), std::move(member)).first->second);
}

void ClusterState::RemovePod(const std::string& uid) {
  const auto found = pods_.find(uid);
  if (found == pods_.end()) return;
  Leave(found->second);
  pods_.erase(found);
}

void ClusterState::Replace(std::vector<ClusterPod> pods) {
  std::unordered_set<std::string> uids;
  for (const ClusterPod& pod : pods) uids.insert(pod.uid);
  for (auto pod = pods_.begin(); pod != pods_.end();) {
    if (uids.contains(pod->first)) {
      ++pod;
      continue;
    }
    Leave(pod->second);
    pod = pods_.erase(pod);
  }
  for (ClusterPod& pod : pods) Upsert(std::move(pod));
}

void ClusterState::Upsert(PodGroup group) { gangs_.Note(gangs_.facts().Upsert(std::move(group))); }

void ClusterState::RemovePodGroup(PodGroupKind kind, std::string namespace_name, std::string name) {
  const GangKey key{std::string(GangKindOf(kind)), std::move(namespace_name), std::move(name), {}};
  gangs_.Note(gangs_.facts().RemoveGroup(key));
}

void ClusterState::Replace(PodGroupKind kind, std::vector<PodGroup> groups) {
  std::set<GangKey> keys;
  for (const PodGroup& group : groups) keys.insert(group.Key());
  for (const GangKey& key : gangs_.facts().Groups(kind)) {
    if (!keys.contains(key)) gangs_.Note(gangs_.facts().RemoveGroup(key));
  }
  for (PodGroup& group : groups) Upsert(std::move(group));
}

void ClusterState::Upsert(BatchJob job) { gangs_.Note(gangs_.facts().Upsert(std::move(job))); }

void ClusterState::RemoveJob(std::string_view uid) { gangs_.Note(gangs_.facts().RemoveJob(uid)); }

void ClusterState::Replace(std::vector<BatchJob> jobs) {
  std::set<std::string> uids;
  for (const BatchJob& job : jobs) uids.insert(job.uid);
  for (const std::string& uid : gangs_.facts().Jobs()) {
    if (!uids.contains(uid)) RemoveJob(uid);
  }
  for (BatchJob& job : jobs) Upsert(std::move(job));
}

ClusterView ClusterState::Publish(const HeardTimes& heard) {
  gangs_.Publish(parts_, [this](std::string_view node) { return nodes_.SiteOf(node); });
  nodes_.Publish(parts_);
  dirty_ = false;
  parts_.heard = heard;
  parts_.pods = pods_.size();
  parts_.pending_pods = pending_;
  parts_.unreadable_pods = unreadable_;
  return ClusterView(parts_);
}

}  // namespace fairlead::extender
