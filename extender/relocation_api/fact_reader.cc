#include "extender/relocation_api/fact_reader.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "extender/relocation_api/ask_api.h"
#include "extender/relocation_api/fact_requests.h"
#include "extender/relocation_api/owner_shape.h"

namespace fairlead::extender {
namespace {

using kube::ApiError;
using kube::ApiFailure;

tl::unexpected<ApiError> Malformed(const Error& error) {
  return tl::unexpected(ApiError{.failure = ApiFailure::kMalformed, .message = error.message});
}

// The JobSet that a TrainJob has made, or would make.
MoveTarget JobSetOf(const MoveTarget& train_job, std::string uid) {
  MoveTarget target = train_job;
  target.owner.kind = "JobSet";
  target.owner.api_version = "jobset.x-k8s.io/v1alpha2";
  target.owner.uid = std::move(uid);
  return target;
}

}  // namespace

kube::ApiResult<OwnerReading> FactReader::Owner() {
  if (ShapeOf(target_.owner) == nullptr) {
    return Malformed({ErrorCode::kUnsupported, Named(target_.owner) + " of " +
                                                   target_.owner.api_version +
                                                   " is of a kind that has no lever"});
  }
  const auto object = AskFor(connection_, OwnerRequest(target_), stop_);
  if (!object) {
    if (object.error().failure == ApiFailure::kNotFound) return OwnerReading{};
    return tl::unexpected(object.error());
  }
  auto reading = ReadOwner(*object, target_.owner, target_.lever);
  if (!reading) return Malformed(reading.error());
  return *std::move(reading);
}

kube::ApiResult<std::set<std::string>> FactReader::Controllers(OwnerReading& owner) {
  std::set<std::string> controllers{target_.owner.uid};
  const OwnerShape& shape = *ShapeOf(target_.owner);
  if (shape.jobs_label.empty()) return controllers;
  std::string above = target_.owner.uid;  // of the Jobs
  if (shape.kind == "TrainJob") {
    const auto object = AskFor(connection_, OwnerRequest(JobSetOf(target_, "")), stop_);
    if (!object) {
      if (object.error().failure == ApiFailure::kNotFound) return controllers;
      return tl::unexpected(object.error());
    }
    if (ControllerOf(*object).uid != target_.owner.uid) return controllers;
    above = TextAt(*object, {"metadata", "uid"});
    const auto job_set = ReadOwner(*object, JobSetOf(target_, above).owner, target_.lever);
    if (!job_set) return Malformed(job_set.error());
    owner.size = job_set->size;
    controllers.insert(above);
  }
  const auto asked = AskForEach(
      connection_, JobsRequest(target_, shape), "JobList",
      [&](const Json& job) -> Status {
        std::string uid = TextAt(job, {"metadata", "uid"});
        if (uid.empty()) return Fail(ErrorCode::kInvalidArgument, "a Job has no uid");
        if (ControllerOf(job).uid != above) return {};
        controllers.insert(std::move(uid));
        const bool ended = HasCondition(job, "Complete") || HasCondition(job, "Failed");
        const bool leaving = At(job, {"metadata", "deletionTimestamp"}).is_string();
        if (ended && !leaving) owner.size -= std::min(owner.size, SizeWhenStarted(job));
        return {};
      },
      stop_);
  if (!asked) return tl::unexpected(asked.error());
  return controllers;
}

kube::ApiResult<std::vector<MemberReading>> FactReader::Members(OwnerReading& owner,
                                                                const SiteOfNode& site_of) {
  const auto controllers = Controllers(owner);
  if (!controllers) return tl::unexpected(controllers.error());
  std::vector<MemberReading> members;
  const auto asked = AskForEach(
      connection_, PodsRequest(target_, owner.pod_labels), "PodList",
      [&](const Json& pod) { return AddMember(pod, *controllers, site_of, members); }, stop_);
  if (!asked) return tl::unexpected(asked.error());
  std::ranges::sort(
      members, {}, [](const auto& member) -> auto& { return member.state.name; });
  return members;
}

kube::ApiResult<std::vector<BudgetState>> FactReader::Budgets(
    const std::vector<MemberReading>& members) {
  std::vector<BudgetState> budgets;
  const auto asked = AskForEach(
      connection_, BudgetsRequest(target_), "PodDisruptionBudgetList",
      [&](const Json& budget) -> Status {
        budgets.push_back(ReadBudget(budget, members));
        return {};
      },
      stop_);
  if (!asked) return tl::unexpected(asked.error());
  return budgets;
}

// Kueue 0.15 and later serve v1beta2, those before v1beta1 alone.
kube::ApiResult<WorkloadReading> FactReader::Workload() {
  for (const std::string version : {"v1beta2", "v1beta1"}) {
    WorkloadReading reading{
        .served = true, .state = {}, .name = {}, .version = version, .count = 0};
    const auto asked = AskForEach(
        connection_, WorkloadsRequest(target_, version), "WorkloadList",
        [&](const Json& item) { return AddWorkload(item, target_.owner.uid, reading); }, stop_);
    if (asked) return reading;
    if (asked.error().failure != ApiFailure::kNotFound) return tl::unexpected(asked.error());
  }
  return WorkloadReading{};
}

kube::ApiResult<bool> FactReader::CommandWaits() {
  bool waits = false;
  const auto asked = AskForEach(
      connection_, CommandsRequest(target_), "CommandList",
      [&](const Json& command) -> Status {
        waits |= IsMoveCommand(command, target_.owner.uid);
        return {};
      },
      stop_);
  if (!asked) return tl::unexpected(asked.error());
  return waits;
}

}  // namespace fairlead::extender
