#include "extender/relocation_api/move_client.h"

#include <utility>

namespace fairlead::extender {

CallOutcome MoveClient::Do(const MoveTarget& target, const ApiCall& call,
                           const std::stop_token& stop) {
  const auto request = MoveRequest(target, call);
  if (!request) {
    return {.result = CallResult::kInvalid, .message = request.error().message};
  }
  return OutcomeOf(connection_->Call(*request, stop));
}

Result<MoveFacts> MoveClient::Read(const MoveTarget& target, const SiteOfNode& site_of,
                                   const std::stop_token& stop) {
  MoveFacts facts;
  const auto job = connection_->Call(OwnerRequest(target), stop);
  if (!job) {
    if (job.error().failure == kube::ApiFailure::kNotFound) return facts;
    return Fail(job.error().ToError());
  }
  auto owner = ReadOwner(*job, target.owner.uid);
  if (!owner) return Fail(owner.error());
  facts.owner = std::move(owner->owner);
  facts.size = owner->size;
  const auto list = connection_->Call(PodsRequest(target), stop);
  if (!list) return Fail(list.error().ToError());
  auto pods = ReadPods(*list, target.owner.uid, site_of);
  if (!pods) return Fail(pods.error());
  facts.pods = *std::move(pods);
  return facts;
}

}  // namespace fairlead::extender
