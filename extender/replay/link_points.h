// Collects recorded points and refuses those that cannot be right.
#pragma once

#include <string>
#include <string_view>

#include "common/base/result.h"
#include "extender/link/line_catalogue.h"
#include "extender/replay/link_trace.h"

namespace fairlead::extender {

// "hk>sg".
std::string LinkText(const LinkKey& link);

// Seconds as a file has them; kInvalidArgument where they are no span that Nanoseconds can hold.
Result<Nanoseconds> SpanOf(double seconds);
// Seconds since 1970, from 2000 to 2200; kInvalidArgument says that milliseconds look like that.
Result<WallTime> MomentOf(double unix_seconds);

// Single-threaded; `lines` must outlive it.
class LinkPointsBuilder {
 public:
  explicit LinkPointsBuilder(const LineCatalogue& lines) : lines_(lines) {}

  // kInvalidArgument names link, moment, value and remedy: not later than the point before, a round
  // trip above 10 s or below the fibre floor, a share beyond 0 to 1, a negative age or rate.
  Status Add(const LinkKey& link, const LinkPoint& point);
  // Of the newest point of the link; absent: there is none yet.
  std::optional<WallTime> Newest(const LinkKey& link) const;

  LinkPoints Take() { return std::move(points_); }

 private:
  const LineCatalogue& lines_;
  LinkPoints points_;
};

}  // namespace fairlead::extender
