// `suspend` of the owner. The record changes in the same patch, so it is always true.
#include "extender/relocation/lever.h"

namespace fairlead::extender {
namespace {

ApiCall SetSuspend(const MoveHistory& moves, const OwnerState& owner, bool value) {
  ApiCall call = WriteRecordCall(moves, owner);
  call.kind = CallKind::kSetSuspend;
  call.value = value;
  return call;
}

class Suspend final : public Lever {
 public:
  std::string Refusal(const MoveFacts& /*facts*/) const override { return ""; }

  ApiCall Begin(MoveHistory moves, const MoveFacts& facts) const override {
    return SetSuspend(moves, facts.owner, true);
  }

  LeverStep Next(const LeverView& view) const override {
    if (!view.facts.owner.suspended) return {.kind = LeverStep::Kind::kStarted};
    if (!view.facts.pods.empty()) return WaitForPods(view.facts);
    return {.kind = LeverStep::Kind::kCall,
            .call = SetSuspend(Following(view.moves, view.now), view.facts.owner, false)};
  }
};

}  // namespace

const Lever& SuspendLever() {
  static const Suspend kLever;
  return kLever;
}

}  // namespace fairlead::extender
