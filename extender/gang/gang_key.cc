#include "extender/gang/gang_key.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "common/base/names.h"
#include "common/units/number.h"
#include "extender/gang/gang_rules.h"

namespace fairlead::extender {
namespace {

constexpr std::uint64_t kMostMembers = 1'000'000;
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

// A count that cannot be read is a count that is not known; the framework's own webhook judges it.
std::optional<std::uint32_t> Count(const PodFacts& pod, const Mark& mark, std::uint64_t least) {
  const auto count = ParseCount(Value(pod, mark), least, kMostMembers);
  if (!count) return std::nullopt;
  return static_cast<std::uint32_t>(*count);
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
    gang.size = Count(pod, rule.size, 1);
    gang.rank = Count(pod, rule.rank, 0);
    return gang;
  }
  return std::nullopt;
}

bool SaysHowItCommunicates(const PodFacts& pod) {
  const std::string prefix = AnnotationName("comm-");
  const auto found = pod.annotations.lower_bound(prefix);
  return found != pod.annotations.end() && found->first.starts_with(prefix);
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
  if (!pod.scheduling_pod_group.empty()) {
    Gang gang;
    gang.key = {"podgroup", pod.namespace_name, pod.scheduling_pod_group, {}};
    return gang;
  }
  for (const GangRule& rule : kGangRules) {
    if (auto gang = ByRule(rule, pod)) return gang;
  }
  return ByOwner(pod);
}

}  // namespace fairlead::extender
