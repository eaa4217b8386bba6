#include "linkprobe/detect/judgement_pause.h"

#include <algorithm>

namespace fairlead::linkprobe {

void JudgementPause::Told(bool tested, MonotonicTime now) {
  if (tested == tested_) return;
  tested_ = tested;
  used_up_ = false;
  if (!tested) told_until_ = now;
}

bool JudgementPause::Holds(const DetectorSettings& settings, MonotonicTime now) {
  if (!begun_) {
    const bool judged_enough = !judged_from_ || now - *judged_from_ >= kLeastJudged;
    if (!tested_ || used_up_ || !judged_enough) return false;
    begun_ = now;
    return true;
  }
  const Nanoseconds looked_back = std::max(settings.window, settings.pdv_window);
  const bool left_behind = !tested_ && now - told_until_ >= looked_back;
  if (!left_behind && now - *begun_ < kLongest) return true;
  End(now);
  return false;
}

void JudgementPause::End(MonotonicTime now) {
  if (!begun_) return;
  begun_.reset();
  judged_from_ = now;
  used_up_ = tested_;
}

}  // namespace fairlead::linkprobe
