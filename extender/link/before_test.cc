#include "extender/link/before_test.h"

#include <algorithm>

namespace fairlead::extender {
namespace {

// However long a window a probe claims.
constexpr Nanoseconds kLongestLookBack = Seconds(300);

bool MayStay(const LinkView& view) {
  return view.rtt_p50 && (view.state == LinkState::kHealthy || view.state == LinkState::kSuspect);
}

}  // namespace

void BeforeTest::Follow(bool tested, Nanoseconds window, MonotonicTime now, LinkView& view) {
  if (tested) until_ = now + std::min(window, kLongestLookBack);
  if (!until_ || now >= *until_) {
    until_.reset();
    before_ = {view.rung, view.rtt_p50, view.rtt_p99, view.forward, view.reverse};
    before_at_ = now;
    return;
  }
  if (!MayStay(view) || (before_ && before_->rung != view.rung)) before_.reset();
  if (!before_ || !before_->rtt_p50) return;
  view.rtt_p50 = before_->rtt_p50;
  view.rtt_p99 = before_->rtt_p99;
  view.forward = before_->forward;
  view.reverse = before_->reverse;
  view.before_test = now - before_at_;
}

}  // namespace fairlead::extender
