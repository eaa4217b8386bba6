#include "extender/gang/assumed_table.h"

#include <algorithm>

namespace fairlead::extender {

AssumedTable::AssumedTable(Nanoseconds ttl, std::size_t max_pods)
    : ttl_(ttl), max_pods_(std::max<std::size_t>(max_pods, 1)) {}

void AssumedTable::Assume(std::string_view uid, const GangKey& gang, std::string_view node,
                          MonotonicTime now) {
  if (uid.empty()) return;
  Forget(uid);
  while (pods_.size() >= max_pods_) {
    const std::string oldest = by_age_.begin()->second;
    Forget(oldest);
  }
  AssumedPod pod{std::string(uid), gang, std::string(node), now};
  by_age_.emplace(now, pod.uid);
  by_gang_[gang].insert(pod.uid);
  pods_.emplace(pod.uid, pod);
}

void AssumedTable::Forget(std::string_view uid) {
  const auto found = pods_.find(uid);
  if (found == pods_.end()) return;
  const AssumedPod& pod = found->second;
  by_age_.erase(Order{pod.since, pod.uid});
  const auto gang = by_gang_.find(pod.gang);
  gang->second.erase(pod.uid);
  if (gang->second.empty()) by_gang_.erase(gang);
  pods_.erase(found);
}

std::vector<AssumedPod> AssumedTable::Members(const GangKey& gang, std::string_view except_uid,
                                              MonotonicTime now) const {
  std::vector<AssumedPod> members;
  const auto found = by_gang_.find(gang);
  if (found == by_gang_.end()) return members;
  for (const std::string& uid : found->second) {
    const AssumedPod& pod = pods_.find(uid)->second;
    if (uid != except_uid && Alive(pod, now)) members.push_back(pod);
  }
  return members;
}

std::vector<AssumedPod> AssumedTable::All(MonotonicTime now) const {
  std::vector<AssumedPod> all;
  for (const auto& [uid, pod] : pods_) {
    if (Alive(pod, now)) all.push_back(pod);
  }
  return all;
}

void AssumedTable::Expire(MonotonicTime now) {
  while (!by_age_.empty() && now - by_age_.begin()->first >= ttl_) {
    const std::string oldest = by_age_.begin()->second;
    Forget(oldest);
  }
}

}  // namespace fairlead::extender
