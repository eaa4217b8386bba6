#include "extender/registry/report_clock.h"

#include <string>

#include "common/units/duration.h"

namespace fairlead::extender {

Status CheckReportTime(WallTime sent_at, WallTime now) {
  const bool behind = sent_at < now;
  const Nanoseconds distance = behind ? now - sent_at : sent_at - now;
  if (distance <= kClockTolerance) return {};
  return Fail(ErrorCode::kInvalidArgument,
              "the node's clock is " + HumanDuration(distance) +
                  (behind ? " behind" : " ahead of") +
                  " the extender's; set the clock that is wrong, by NTP or PTP");
}

}  // namespace fairlead::extender
