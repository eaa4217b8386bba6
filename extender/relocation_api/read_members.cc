#include "extender/relocation_api/read_members.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "common/base/names.h"
#include "common/json/json_cursor.h"
#include "common/json/padding.h"
#include "extender/cluster_api/read_selector.h"

namespace fairlead::extender {
namespace {

bool Ended(const Json& pod) {
  const std::string phase = TextAt(pod, {"status", "phase"});
  return phase == "Succeeded" || phase == "Failed";
}

// Of a LabelSelector; none at all selects nothing. Absent: it cannot be read.
std::optional<bool> Selects(const Json& selector, const StringMap& labels) {
  if (selector.is_null()) return false;
  std::string padded = Dump(selector);
  padded.reserve(padded.size() + kJsonPadding);
  fairlead::json::od::parser parser;
  simdjson::ondemand::document document;
  fairlead::json::od::value value;
  bool selects = false;
  if (parser.iterate(padded.data(), padded.size(), padded.capacity()).get(document) ||
      document.get_value().get(value) || json::ReadSelects(value, padded.size(), labels, selects)) {
    return std::nullopt;
  }
  return selects;
}

// Why a budget allows nothing, to be said after its name; empty: its status can be gone by.
std::string Doubt(const Json& budget) {
  const Json& generation = At(budget, {"metadata", "generation"});
  const Json& observed = At(budget, {"status", "observedGeneration"});
  if (!At(budget, {"status", "disruptionsAllowed"}).is_number_integer()) {
    return " (which has no status)";
  }
  if (!generation.is_number_integer() || !observed.is_number_integer() || observed < generation) {
    return " (whose status is not up to date)";
  }
  return "";
}

}  // namespace

Status AddMember(const Json& pod, const std::set<std::string>& controllers,
                 const SiteOfNode& site_of, std::vector<MemberReading>& members) {
  const Json& annotations = At(pod, {"metadata", "annotations"});
  const std::string node = TextAt(pod, {"spec", "nodeName"});
  MemberReading member;
  member.state = {.name = TextAt(pod, {"metadata", "name"}),
                  .uid = TextAt(pod, {"metadata", "uid"}),
                  .site = node.empty() ? std::string() : std::string(site_of(node)),
                  .ready = HasCondition(pod, "Ready"),
                  .terminating = At(pod, {"metadata", "deletionTimestamp"}).is_string(),
                  .asked_checkpoint = TextAt(annotations, {AnnotationName("checkpoint-request")}),
                  .done_checkpoint = TextAt(annotations, {AnnotationName("checkpoint-done")})};
  if (member.state.name.empty() || member.state.uid.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "a pod has no name or no uid");
  }
  if (!controllers.contains(ControllerOf(pod).uid) || Ended(pod)) return {};
  member.labels = Strings(At(pod, {"metadata", "labels"}));
  members.push_back(std::move(member));
  return {};
}

BudgetState ReadBudget(const Json& budget, const std::vector<MemberReading>& members) {
  const Json& selector = At(budget, {"spec", "selector"});
  std::string doubt = Doubt(budget);
  BudgetState state;
  for (const MemberReading& member : members) {
    const auto selects = Selects(selector, member.labels);
    if (!selects) doubt = " (whose selector cannot be read)";
    if (selects.value_or(true)) state.covers.push_back(member.state.uid);
  }
  state.name = TextAt(budget, {"metadata", "name"}) + doubt;
  if (doubt.empty()) state.allowed = Count(At(budget, {"status", "disruptionsAllowed"}), 0);
  return state;
}

}  // namespace fairlead::extender
