#include "extender/relocation_api/move_rights.h"

#include <nlohmann/json.hpp>

#include "extender/relocation/lever_choice.h"
#include "extender/relocation_api/owner_shape.h"

namespace fairlead::extender {

std::vector<MoveRight> RightsOf(const MoveTarget& target, bool checkpoint) {
  std::vector<MoveRight> rights{
      {"patch", std::string(ApiGroupOf(target.owner.api_version)), PluralOf(target.owner.kind)}};
  if (checkpoint) rights.push_back({"patch", "", "pods"});
  switch (target.lever) {
    case LeverKind::kSuspend:
      break;
    case LeverKind::kKueue:
      rights.push_back({"patch", "kueue.x-k8s.io", "workloads"});
      break;
    case LeverKind::kVolcano:
      rights.push_back({"create", "bus.volcano.sh", "commands"});
      break;
    case LeverKind::kEvict:
      rights.push_back({"create", "", "pods", "eviction"});
      rights.push_back({"delete", "", "pods"});
      break;
  }
  return rights;
}

kube::ApiRequest ReviewRequest(const MoveTarget& target, const MoveRight& right) {
  kube::ApiRequest request;
  request.method = kube::Method::kPost;
  request.path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
  Json attributes = {{"namespace", target.namespace_name},
                     {"verb", right.verb},
                     {"group", right.api_group},
                     {"resource", right.resource}};
  if (!right.subresource.empty()) attributes["subresource"] = right.subresource;
  request.body = Dump({{"apiVersion", "authorization.k8s.io/v1"},
                       {"kind", "SelfSubjectAccessReview"},
                       {"spec", {{"resourceAttributes", std::move(attributes)}}}});
  return request;
}

Result<bool> ReadReview(const Json& answer) {
  const Json& allowed = At(answer, {"status", "allowed"});
  if (TextAt(answer, {"kind"}) != "SelfSubjectAccessReview" || !allowed.is_boolean()) {
    return Fail(ErrorCode::kInvalidArgument,
                "the API server's answer about rights is no SelfSubjectAccessReview");
  }
  return allowed.get<bool>();
}

std::string Named(const MoveRight& right) {
  std::string text = std::string(right.verb) + " " + right.resource;
  if (!right.api_group.empty()) text += "." + right.api_group;
  if (!right.subresource.empty()) text += "/" + std::string(right.subresource);
  return text;
}

std::string MissingRights(const std::vector<MoveRight>& missing, std::string_view namespace_name) {
  if (missing.empty()) return "";
  std::string text = missing.size() == 1 ? "the right to " : "the rights to ";
  for (std::size_t i = 0; i < missing.size(); ++i) {
    if (i > 0) text += i + 1 == missing.size() ? " and " : ", ";
    text += Named(missing[i]);
  }
  return text + " in namespace " + std::string(namespace_name) +
         (missing.size() == 1 ? " is" : " are") +
         " missing; see ClusterRole fairlead-extender-migration";
}

}  // namespace fairlead::extender
