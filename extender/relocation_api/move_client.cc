#include "extender/relocation_api/move_client.h"

#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "common/base/names.h"
#include "common/units/human.h"
#include "extender/cluster/pod_group.h"
#include "extender/cluster_api/write_requests.h"
#include "extender/relocation/move_record.h"
#include "extender/relocation_api/ask_api.h"
#include "extender/relocation_api/fact_reader.h"
#include "extender/relocation_api/fact_requests.h"
#include "extender/relocation_api/owner_shape.h"
#include "extender/relocation_api/read_facts.h"

namespace fairlead::extender {
namespace {

using kube::ApiFailure;

// Deeper chains than TrainJob, JobSet, Job are none that is known.
constexpr int kMostOwners = 4;

const Clock& OwnClock() {
  static const SystemClock kClock;
  return kClock;
}

// Items of a list do not tell their kind.
LeftOpenMove MoveLeftOpen(const Json& object, const OwnerShape& shape) {
  LeftOpenMove move;
  move.target.namespace_name = TextAt(object, {"metadata", "namespace"});
  move.target.owner = {
      .kind = std::string(shape.kind),
      .name = TextAt(object, {"metadata", "name"}),
      .uid = TextAt(object, {"metadata", "uid"}),
      .controller = true,
      .api_version = std::string(shape.api_group) + "/" + std::string(shape.version)};
  move.moves = TextAt(object, {"metadata", "annotations", AnnotationName(kMovesAnnotation)});
  return move;
}

}  // namespace

MoveClient::MoveClient(std::unique_ptr<kube::ApiConnection> connection)
    : MoveClient(std::move(connection), OwnClock()) {}

CallOutcome MoveClient::Do(const MoveTarget& target, const ApiCall& call,
                           const std::stop_token& stop) {
  std::string workload;
  if (call.kind == CallKind::kSetActive) {
    auto path = WorkloadPath(target, call.uid, stop);
    if (!path) return OutcomeOf(path.error());
    workload = *std::move(path);
  }
  const auto request = MoveRequest(target, call, workload);
  if (!request) {
    return {.result = CallResult::kInvalid, .message = request.error().message};
  }
  const auto answer = connection_->Call(*request, stop);
  return answer ? CallOutcome{} : OutcomeOf(answer.error());
}

CallOutcome MoveClient::Tell(const ClusterEvent& event, const std::string& process, WallTime now,
                             const std::stop_token& stop) {
  const EventWrite write{.name = event.name, .event = event, .began = now, .last = now};
  const auto answer = connection_->Call(EventRequest(write, process), stop);
  if (answer || answer.error().failure == ApiFailure::kConflict) return {};
  return OutcomeOf(answer.error());
}

kube::ApiResult<std::string> MoveClient::WorkloadPath(const MoveTarget& target,
                                                      const std::string& uid,
                                                      const std::stop_token& stop) {
  const auto workload = FactReader(*connection_, target, stop).Workload();
  if (!workload) return tl::unexpected(workload.error());
  if (!workload->state.exists || workload->state.uid != uid) {
    return tl::unexpected(kube::ApiError{
        .failure = ApiFailure::kNotFound,
        .message = "the Workload of " + Named(target.owner) + " is gone, or another one"});
  }
  return WorkloadsRequest(target, workload->version).path + kube::PathOf({workload->name});
}

Result<MoveFacts> MoveClient::Read(const MoveTarget& target, const SiteOfNode& site_of,
                                   const std::stop_token& stop) {
  return ReadMoveFacts(*connection_, target, site_of, rights_, clock_.Now(), stop);
}

Result<TopOwner> MoveClient::FindOwner(const std::string& namespace_name, const OwnerFacts& owner,
                                       const std::stop_token& stop) {
  TopOwner top;
  top.owner = owner;
  MoveTarget target{.namespace_name = namespace_name, .owner = owner};
  for (int level = 0; ShapeOf(top.owner) != nullptr; ++level) {
    if (level == kMostOwners) {
      return Fail(
          ErrorCode::kUnsupported,
          Named(owner) + " has more than " + Counted(kMostOwners, "owner", "owners") + " above it");
    }
    target.owner = top.owner;
    auto reading = FactReader(*connection_, target, stop).Owner();
    if (!reading) return Fail(reading.error().ToError());
    if (!reading->state.exists) {
      return Fail(ErrorCode::kNotFound, Named(top.owner) + " is gone, or another one");
    }
    top.moves = reading->state.record;
    top.wants_eviction = reading->wants_eviction;
    if (reading->controller.uid.empty()) {
      const auto workload = FactReader(*connection_, target, stop).Workload();
      if (!workload) return Fail(workload.error().ToError());
      top.has_workload = workload->count > 0 || (workload->served && reading->kueue_queue);
      return top;
    }
    top = {
        .owner = reading->controller, .has_workload = false, .wants_eviction = false, .moves = {}};
  }
  return top;
}

Result<LeftOpenMoves> MoveClient::FindOpen(const std::stop_token& stop) {
  LeftOpenMoves open;
  std::set<std::string> seen;  // one kind may be served in two versions
  for (const OwnerShape& shape : AllOwnerShapes()) {
    const auto asked = AskForEach(
        *connection_, MovingRequest(shape), std::string(shape.kind) + "List",
        [&](const Json& object) -> Status {
          LeftOpenMove move = MoveLeftOpen(object, shape);
          const auto moves = ReadMoves(move.moves);
          if (moves && !moves->current.open()) return {};
          if (moves) move.target.lever = moves->current.lever;
          if (seen.insert(move.target.owner.uid).second) open.moves.push_back(std::move(move));
          return {};
        },
        stop);
    if (asked || asked.error().failure == ApiFailure::kNotFound) continue;
    if (asked.error().failure != ApiFailure::kForbidden) return Fail(asked.error().ToError());
    open.unread.push_back(asked.error().message);
  }
  return open;
}

}  // namespace fairlead::extender
