#include "extender/replay_file/assumed.h"

#include <cmath>

#include "common/link/loss_interval.h"

namespace fairlead::extender {
namespace {

constexpr std::uint64_t kSamples = 600;

LinkReason ReasonOf(LinkState state) {
  switch (state) {
    case LinkState::kUnknown:
      return LinkReason::kNoData;
    case LinkState::kHealthy:
    case LinkState::kSuspect:
      return LinkReason::kNone;
    case LinkState::kDegraded:
      return LinkReason::kRttStep;
    case LinkState::kDown:
      return LinkReason::kNoReply;
  }
  return LinkReason::kNoData;
}

}  // namespace

LinkPoint Assumed(LinkState state) {
  LinkPoint point;
  point.state = state;
  point.reason = ReasonOf(state);
  if (state == LinkState::kUnknown) return point;
  point.samples = kSamples;
  point.quorum = 1;
  point.agreeing = state == LinkState::kHealthy ? 0 : 1;
  point.age = Nanoseconds(0);
  return point;
}

LossInterval LossOf(double ratio) {
  // One that is no share is refused later, with its value.
  if (!(ratio >= 0 && ratio <= 1)) return {.ratio = ratio};
  LossInterval loss = MakeLossInterval(
      static_cast<std::uint64_t>(std::llround(ratio * static_cast<double>(kSamples))), kSamples);
  loss.ratio = ratio;
  return loss;
}

}  // namespace fairlead::extender
