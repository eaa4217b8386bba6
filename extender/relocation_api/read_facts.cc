#include "extender/relocation_api/read_facts.h"

#include <string>
#include <utility>

#include "extender/relocation/move_record.h"
#include "extender/relocation_api/fact_reader.h"
#include "extender/relocation_api/owner_shape.h"

namespace fairlead::extender {
namespace {

using kube::ApiError;
using kube::ApiFailure;
using kube::ApiResult;

// Whether what must hold before the lever is touched still matters.
bool CanRefuse(const MoveHistory& moves) {
  return !moves.current.open() || moves.current.step < MoveStep::kStop;
}

// Why the owner itself is not to be touched; empty: nothing.
std::string NotOurs(const MoveTarget& target, const OwnerReading& owner) {
  const std::string who = Named(target.owner);
  if (!owner.controller.uid.empty() && ShapeOf(owner.controller) != nullptr) {
    return who + " is controlled by " + Named(owner.controller) + ", which would undo it";
  }
  if (!owner.managed_by.empty()) return who + " is managed by " + owner.managed_by;
  return "";
}

class Reading {
 public:
  Reading(kube::ApiConnection& connection, const MoveTarget& target, const std::stop_token& stop)
      : connection_(connection), target_(target), stop_(stop), reader_(connection, target, stop) {}

  ApiResult<void> Read(const SiteOfNode& site_of, RightsCache& rights, MonotonicTime now) {
    auto owner = reader_.Owner();
    if (!owner) return tl::unexpected(owner.error());
    facts_.owner = owner->state;
    if (!facts_.owner.exists) return {};
    const auto moves = ReadMoves(facts_.owner.record);
    can_refuse_ = moves && CanRefuse(*moves);
    if (can_refuse_) Say(NotOurs(target_, *owner));
    const auto members = reader_.Members(*owner, site_of);
    if (!members) return tl::unexpected(members.error());
    facts_.size = owner->size;
    for (const MemberReading& member : *members) facts_.pods.push_back(member.state);
    ApiResult<void> read = ReadLever(*owner, *members);
    if (read && can_refuse_) {
      const bool checkpoint = moves->current.open() && moves->current.checkpoint;
      auto missing = rights.Missing(connection_, target_, checkpoint, now, stop_);
      if (!missing) return Judge(missing.error());
      Say(*std::move(missing));
    }
    return read;
  }

  MoveFacts Take() { return std::move(facts_); }

 private:
  ApiResult<void> ReadLever(const OwnerReading& owner, const std::vector<MemberReading>& members) {
    switch (target_.lever) {
      case LeverKind::kKueue:
        return ReadWorkload();
      case LeverKind::kVolcano:
        return ReadCommand();
      case LeverKind::kSuspend:
        return can_refuse_ && owner.kueue_queue ? ReadRival() : ApiResult<void>();
      case LeverKind::kEvict:
        break;
    }
    if (!can_refuse_) return {};
    auto budgets = reader_.Budgets(members);
    if (!budgets) return Judge(budgets.error());
    facts_.budgets = *std::move(budgets);
    return can_refuse_ && owner.kueue_queue ? ReadRival() : ApiResult<void>();
  }

  ApiResult<void> ReadWorkload() {
    const auto workload = reader_.Workload();
    if (!workload) return Judge(workload.error());
    facts_.workload = workload->state;
    if (!workload->served) Say("the API server does not know Workloads of kueue.x-k8s.io");
    if (workload->count > 1) {
      Say("it has " + std::to_string(workload->count) +
          " Workloads of Kueue that have not finished, and one is expected");
    }
    return {};
  }

  // Kueue undoes what others do to its jobs.
  ApiResult<void> ReadRival() {
    const auto workload = reader_.Workload();
    if (!workload) return Judge(workload.error());
    if (workload->count > 0) Say("Kueue manages " + Named(target_.owner) + " and would undo it");
    return {};
  }

  ApiResult<void> ReadCommand() {
    const auto waits = reader_.CommandWaits();
    if (!waits && waits.error().failure == ApiFailure::kNotFound && can_refuse_) {
      Say("the API server does not know Commands of bus.volcano.sh");
      return {};
    }
    if (!waits) return Judge(waits.error());
    facts_.command_waits = *waits;
    return {};
  }

  // Where nothing has begun, an answer that refuses what the lever needs to know is a reason not
  // to begin; all others are no answer.
  ApiResult<void> Judge(const ApiError& error) {
    if (!can_refuse_ || error.failure != ApiFailure::kForbidden) return tl::unexpected(error);
    Say(error.message);
    return {};
  }

  // The first that is said counts.
  void Say(std::string sentence) {
    if (facts_.forbidden.empty()) facts_.forbidden = std::move(sentence);
  }

  kube::ApiConnection& connection_;
  const MoveTarget& target_;
  const std::stop_token& stop_;
  FactReader reader_;
  MoveFacts facts_;
  bool can_refuse_ = false;
};

}  // namespace

Result<MoveFacts> ReadMoveFacts(kube::ApiConnection& connection, const MoveTarget& target,
                                const SiteOfNode& site_of, RightsCache& rights, MonotonicTime now,
                                const std::stop_token& stop) {
  Reading reading(connection, target, stop);
  const auto read = reading.Read(site_of, rights, now);
  if (!read) return Fail(read.error().ToError());
  return reading.Take();
}

}  // namespace fairlead::extender
