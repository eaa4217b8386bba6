#include "extender/cluster/cluster_view.h"

#include <algorithm>

#include "extender/cluster/membership.h"

namespace fairlead::extender {
namespace {

GangKey WithoutIncarnation(GangKey key) {
  key.incarnation.clear();
  return key;
}

}  // namespace

const GangView* ClusterView::FindGang(const GangKey& key) const {
  const auto found = std::ranges::lower_bound(
      *parts_.gangs, key, {}, [](const auto& gang) -> const GangKey& { return gang->key; });
  if (found == parts_.gangs->end() || (*found)->key != key) return nullptr;
  return found->get();
}

std::optional<std::uint32_t> ClusterView::SizeOf(const Gang& gang) const {
  if (gang.size) return gang.size;
  const GangView* known = FindGang(gang.key);
  // A PodGroup knows of no incarnations.
  if (known == nullptr) known = FindGang(WithoutIncarnation(gang.key));
  return known == nullptr ? std::nullopt : known->size;
}

std::string ClusterView::MembershipFaultOf(const PodFacts& pod, const GangKey& gang) const {
  OwnerFacts controller;
  for (const OwnerFacts& owner : pod.owners) {
    if (owner.controller) controller = owner;
  }
  GangOwners owners;
  if (const GangView* const job = FindGang({"job", pod.namespace_name, controller.uid, {}});
      job != nullptr && job->of_known_job) {
    owners.job_known = true;
    owners.job = job->controller;
  }
  if (const GangView* const group = FindGang(WithoutIncarnation(gang))) {
    owners.pod_group = group->controller;
  }
  return MembershipFault(gang, controller, owners);
}

std::optional<Nanoseconds> ClusterView::Age(MonotonicTime now) const {
  const HeardTimes& heard = parts_.heard;
  if (!heard.nodes || !heard.pods) return std::nullopt;
  return now - std::min(*heard.nodes, *heard.pods);
}

}  // namespace fairlead::extender
