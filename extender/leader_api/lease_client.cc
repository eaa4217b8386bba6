#include "extender/leader_api/lease_client.h"

#include <string_view>
#include <utility>

#include "common/kube/reflector.h"

namespace fairlead::extender {
namespace {

constexpr std::string_view kGroup = "coordination.k8s.io";

std::string_view VerbOf(LeaseAction::Kind kind) {
  switch (kind) {
    case LeaseAction::Kind::kRead:
      return "get";
    case LeaseAction::Kind::kCreate:
      return "create";
    case LeaseAction::Kind::kUpdate:
      return "update";
    case LeaseAction::Kind::kWait:
    case LeaseAction::Kind::kDone:
      break;
  }
  return "nothing";
}

}  // namespace

LeaseClient::LeaseClient(LeasePlace place, std::unique_ptr<kube::ApiConnection> connection,
                         const Clock& clock)
    : place_(std::move(place)), connection_(std::move(connection)), clock_(clock) {}

kube::ApiRequest LeaseClient::RequestFor(const LeaseAction& action) const {
  const std::string all =
      kube::PathOf({"apis", kGroup, "v1", "namespaces", place_.namespace_name, "leases"});
  const std::string one = all + kube::PathOf({place_.name});
  kube::ApiRequest request;
  switch (action.kind) {
    case LeaseAction::Kind::kCreate:
      request.method = kube::Method::kPost;
      request.path = all;
      request.body = MakeLease(place_.name, action.write, clock_.WallNow());
      return request;
    case LeaseAction::Kind::kUpdate:
      request.method = kube::Method::kPut;
      request.path = one;
      request.body = ChangeLease(known_, action.write, clock_.WallNow());
      return request;
    case LeaseAction::Kind::kRead:
    case LeaseAction::Kind::kWait:
    case LeaseAction::Kind::kDone:
      break;
  }
  request.path = one;
  return request;
}

kube::ApiResult<KnownLease> LeaseClient::Do(const LeaseAction& action,
                                            const std::stop_token& stop) {
  kube::ApiResult<std::string> answer = connection_->Call(RequestFor(action), stop);
  if (!answer) {
    kube::ApiError error = std::move(answer.error());
    if (action.kind == LeaseAction::Kind::kCreate && error.failure == kube::ApiFailure::kNotFound) {
      error.message = "the Lease cannot be made: there is no namespace " + place_.namespace_name;
    } else if (error.failure != kube::ApiFailure::kStopped) {
      const kube::Resource leases{.name = "leases." + std::string(kGroup),
                                  .path = {},
                                  .label_selector = {},
                                  .field_selector = {}};
      error.message = kube::TroubleWith(leases, std::string(VerbOf(action.kind)), error);
    }
    return tl::unexpected(std::move(error));
  }
  Result<KnownLease> lease = ReadLease(*std::move(answer));
  if (!lease) {
    return tl::unexpected(kube::ApiError{.failure = kube::ApiFailure::kMalformed,
                                         .message = std::move(lease.error().message)});
  }
  known_ = *std::move(lease);
  return known_;
}

}  // namespace fairlead::extender
