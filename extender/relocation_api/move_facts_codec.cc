#include "extender/relocation_api/move_facts_codec.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "common/base/names.h"
#include "extender/cluster/pod_group.h"

namespace fairlead::extender {
namespace {

using Json = nlohmann::json;

// The value at the end of these keys; null where there is none.
template <class... Keys>
const Json& At(const Json& from, const Keys&... keys) {
  static const Json kNull;
  const Json* at = &from;
  for (const std::string_view key : {std::string_view(keys)...}) {
    if (!at->is_object()) return kNull;
    const auto found = at->find(key);
    if (found == at->end()) return kNull;
    at = &*found;
  }
  return *at;
}

std::string Text(const Json& value) {
  return value.is_string() ? value.get<std::string>() : std::string();
}

bool True(const Json& value) { return value.is_boolean() && value.get<bool>(); }

// Whether one of status.conditions has this type and is true.
bool Has(const Json& object, std::string_view type) {
  const Json& conditions = At(object, "status", "conditions");
  return conditions.is_array() && std::ranges::any_of(conditions, [&](const Json& condition) {
           return Text(At(condition, "type")) == type && Text(At(condition, "status")) == "True";
         });
}

std::uint32_t Count(const Json& value, std::uint32_t otherwise) {
  if (!value.is_number_unsigned()) return otherwise;
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(value.get<std::uint64_t>(), UINT32_MAX));
}

bool ControlledBy(const Json& pod, std::string_view uid) {
  const Json& owners = At(pod, "metadata", "ownerReferences");
  return owners.is_array() && std::ranges::any_of(owners, [&](const Json& owner) {
           return Text(At(owner, "uid")) == uid && True(At(owner, "controller"));
         });
}

bool Ended(const Json& pod) {
  const std::string phase = Text(At(pod, "status", "phase"));
  return phase == "Succeeded" || phase == "Failed";
}

PodState PodOf(const Json& pod, const SiteOfNode& site_of) {
  const Json& annotations = At(pod, "metadata", "annotations");
  const std::string node = Text(At(pod, "spec", "nodeName"));
  return {.name = Text(At(pod, "metadata", "name")),
          .uid = Text(At(pod, "metadata", "uid")),
          .site = node.empty() ? std::string() : std::string(site_of(node)),
          .ready = Has(pod, "Ready"),
          .terminating = At(pod, "metadata", "deletionTimestamp").is_string(),
          .asked_checkpoint = Text(At(annotations, AnnotationName("checkpoint-request"))),
          .done_checkpoint = Text(At(annotations, AnnotationName("checkpoint-done")))};
}

}  // namespace

Result<OwnerFactsOfMove> ReadOwner(const std::string& text, std::string_view uid) {
  const Json job = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  OwnerFactsOfMove facts;
  OwnerState& owner = facts.owner;
  owner.resource_version = Text(At(job, "metadata", "resourceVersion"));
  if (owner.resource_version.empty() || Text(At(job, "kind")) != "Job") {
    return Fail(ErrorCode::kInvalidArgument, "the API server's answer is no Job");
  }
  owner.exists = Text(At(job, "metadata", "uid")) == uid;
  owner.record = Text(At(job, "metadata", "annotations", AnnotationName(kMovesAnnotation)));
  owner.deleting = At(job, "metadata", "deletionTimestamp").is_string();
  owner.finished = Has(job, "Complete") || Has(job, "Failed");
  owner.suspended = True(At(job, "spec", "suspend"));
  const std::uint32_t parallelism = Count(At(job, "spec", "parallelism"), 1);
  facts.size = std::min(parallelism, Count(At(job, "spec", "completions"), parallelism));
  return facts;
}

Result<std::vector<PodState>> ReadPods(const std::string& text, std::string_view owner_uid,
                                       const SiteOfNode& site_of) {
  const Json list = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (Text(At(list, "kind")) != "PodList") {
    return Fail(ErrorCode::kInvalidArgument, "the API server's answer is no list of pods");
  }
  std::vector<PodState> pods;
  const Json& items = At(list, "items");
  for (const Json& pod : items.is_array() ? items : Json::array()) {
    if (ControlledBy(pod, owner_uid) && !Ended(pod)) pods.push_back(PodOf(pod, site_of));
  }
  std::ranges::sort(pods, {}, &PodState::name);
  return pods;
}

}  // namespace fairlead::extender
