#include "extender/relocation/lever_choice.h"

#include <array>
#include <string_view>

#include "common/base/quote.h"
#include "common/units/human.h"

namespace fairlead::extender {
namespace {

struct Offer {
  std::string_view api_group;
  std::string_view kind;
  LeverKind lever = LeverKind::kEvict;
};

// By the API of each: JobSet 0.11, Kubeflow Trainer 2.2 and training-operator 1.9, MPI operator
// 0.8, Volcano 1.14, Kubernetes 1.37.
constexpr std::array<Offer, 11> kOffers{{
    {"batch", "Job", LeverKind::kSuspend},
    {"jobset.x-k8s.io", "JobSet", LeverKind::kSuspend},
    {"trainer.kubeflow.org", "TrainJob", LeverKind::kSuspend},
    {"kubeflow.org", "PyTorchJob", LeverKind::kSuspend},
    {"kubeflow.org", "TFJob", LeverKind::kSuspend},
    {"kubeflow.org", "XGBoostJob", LeverKind::kSuspend},
    {"kubeflow.org", "PaddleJob", LeverKind::kSuspend},
    {"kubeflow.org", "JAXJob", LeverKind::kSuspend},
    {"kubeflow.org", "MPIJob", LeverKind::kSuspend},
    {"batch.volcano.sh", "Job", LeverKind::kVolcano},
    {"apps", "StatefulSet", LeverKind::kEvict},
}};

}  // namespace

std::string_view ApiGroupOf(std::string_view api_version) {
  const std::size_t slash = api_version.find('/');
  return slash == std::string_view::npos ? std::string_view() : api_version.substr(0, slash);
}

Result<LeverKind> ChooseLever(const ControllingOwner& owner) {
  const auto none = [](std::string why) { return Fail(ErrorCode::kUnsupported, std::move(why)); };
  if (owner.uid.empty()) return none("nothing controls its pods, so nothing would make them anew");
  if (owner.strangers > 0) {
    return none(Counted(owner.strangers, "pod claims", "pods claim") +
                " to be of it by label, but something else controls them");
  }
  const std::string what = owner.kind + " " + Quoted(owner.name);
  if (owner.gangs != 1) {
    return none(what + " controls " + Counted(owner.gangs, "gang", "gangs") +
                ", which cannot be moved one by one");
  }
  for (const Offer& offer : kOffers) {
    if (offer.api_group != owner.api_group || offer.kind != owner.kind) continue;
    if (owner.has_workload) return LeverKind::kKueue;
    const bool may_evict = owner.api_group == "batch" || offer.lever == LeverKind::kEvict;
    return owner.wants_eviction && may_evict ? LeverKind::kEvict : offer.lever;
  }
  return none(what + (owner.api_group.empty() ? "" : " of " + owner.api_group) +
              " is of a kind that is not known to start its pods anew");
}

}  // namespace fairlead::extender
