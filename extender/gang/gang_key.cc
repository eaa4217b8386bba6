#include "extender/gang/gang_key.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "common/base/names.h"
#include "common/base/quote.h"
#include "common/units/number.h"
#include "extender/gang/gang_rules.h"
#include "extender/gang/hived_group.h"

namespace fairlead::extender {
namespace {

constexpr std::array<std::string_view, 4> kLooseOwners{"ReplicaSet", "ReplicationController",
                                                       "DaemonSet", "Node"};

std::string_view ValueIn(const StringMap& values, std::string_view name) {
  const auto found = values.find(name);
  return found == values.end() ? std::string_view() : std::string_view(found->second);
}

// Empty when the pod does not carry the mark.
std::string_view Value(const PodFacts& pod, const Mark& mark) {
  if (mark.name.empty()) return {};
  std::string_view value;
  if (mark.place != MarkPlace::kAnnotation) value = ValueIn(pod.labels, mark.name);
  if (value.empty() && mark.place != MarkPlace::kLabel) value = ValueIn(pod.annotations, mark.name);
  return value;
}

// A count that cannot be read is a count that is not known.
std::optional<std::uint32_t> Count(const PodFacts& pod, const Mark& mark, std::uint64_t least) {
  const auto count = ParseCount(Value(pod, mark), least, kMostGangMembers);
  if (!count) return std::nullopt;
  return static_cast<std::uint32_t>(*count);
}

void ReadSize(const PodFacts& pod, const Mark& mark, Gang& gang) {
  gang.size = Count(pod, mark, 1);
  const std::string_view told = Value(pod, mark);
  if (gang.size) {
    gang.size_fault.clear();
  } else if (!told.empty() && gang.size_fault.empty()) {
    gang.size_fault = std::string(mark.name) + " is " + Quoted(told);
  }
}

// Ranks that are counted anew in each group are one only where there is one group, or one member
// in each.
std::optional<std::uint32_t> Rank(const GangRule& rule, const PodFacts& pod) {
  const auto rank = Count(pod, rule.rank, 0);
  const auto group = Count(pod, rule.rank_group, 0);
  if (!rank || !group) return rank ? rank : group;
  if (*rank > 0 && *group > 0) return std::nullopt;
  return *rank + *group;
}

std::optional<Gang> ByRule(const GangRule& rule, const PodFacts& pod) {
  for (const Mark& mark : rule.ids) {
    const std::string_view id = Value(pod, mark);
    if (id.empty()) continue;
    Gang gang;
    gang.key = {std::string(rule.kind), pod.namespace_name, std::string(id), {}};
    for (const Mark& suffix : rule.id_suffixes) {
      const std::string_view value = Value(pod, suffix);
      if (!value.empty()) gang.key.id.append("/").append(value);
    }
    for (const Mark& incarnation : rule.incarnations) {
      const std::string_view value = Value(pod, incarnation);
      if (value.empty()) continue;
      if (!gang.key.incarnation.empty()) gang.key.incarnation += '.';
      gang.key.incarnation += value;
    }
    for (const Mark& size : rule.sizes) {
      if (!gang.size) ReadSize(pod, size, gang);
    }
    gang.rank = Rank(rule, pod);
    return gang;
  }
  return std::nullopt;
}

bool SaysHowItCommunicates(const PodFacts& pod) {
  const std::string prefix = AnnotationName("comm-");
  const auto found = pod.annotations.lower_bound(prefix);
  return found != pod.annotations.end() && found->first.starts_with(prefix);
}

bool IsInitializer(const GangRule& rule, const PodFacts& pod) {
  return rule.kind == "jobset" &&
         std::ranges::find(kInitializers, Value(pod, kJobSetRole)) != kInitializers.end();
}

// Groups of the scheduler itself.
std::optional<Gang> Native(const PodFacts& pod) {
  Gang gang;
  if (!pod.scheduling_pod_group.empty()) {
    gang.key = {"podgroup", pod.namespace_name, pod.scheduling_pod_group, {}};
  } else if (!pod.workload.name.empty() && !pod.workload.pod_group.empty()) {
    std::string id = pod.workload.name + "/" + pod.workload.pod_group;
    if (!pod.workload.replica_key.empty()) id += "/" + pod.workload.replica_key;
    gang.key = {"workload", pod.namespace_name, std::move(id), {}};
  } else {
    return std::nullopt;
  }
  gang.rank = Count(pod, {"batch.kubernetes.io/job-completion-index"}, 0);
  return gang;
}

std::optional<Gang> Hived(const PodFacts& pod) {
  const auto group = ReadHivedGroup(ValueIn(pod.annotations, kHivedSpec));
  if (!group) return std::nullopt;
  return Gang{.key = {"hived", pod.namespace_name, group->name, {}},
              .size = group->pods,
              .rank = std::nullopt};
}

std::optional<Gang> ByOwner(const PodFacts& pod) {
  const auto owner = std::ranges::find_if(
      pod.owners, [](const OwnerFacts& o) { return o.controller && !o.uid.empty(); });
  if (owner == pod.owners.end()) return std::nullopt;
  const bool loose = std::ranges::find(kLooseOwners, owner->kind) != kLooseOwners.end();
  if (loose && !SaysHowItCommunicates(pod)) return std::nullopt;
  Gang gang;
  // A Job's pods carry its uid as a label too; both must lead to the same gang.
  gang.key = {owner->kind == "Job" ? "job" : "owner", pod.namespace_name, owner->uid, {}};
  return gang;
}

}  // namespace

std::string GangKey::Text() const {
  std::string text = kind + " " + namespace_name + "/" + id;
  if (!incarnation.empty()) text += " (" + incarnation + ")";
  return text;
}

std::optional<Gang> RecogniseGang(const PodFacts& pod) {
  if (auto gang = Native(pod)) return gang;
  if (auto gang = Hived(pod)) return gang;
  for (const GangRule& rule : kGangRules) {
    if (IsInitializer(rule, pod)) continue;
    if (auto gang = ByRule(rule, pod)) return gang;
  }
  return ByOwner(pod);
}

}  // namespace fairlead::extender
