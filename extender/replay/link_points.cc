#include "extender/replay/link_points.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

#include "common/units/duration.h"
#include "common/units/time_text.h"

namespace fairlead::extender {
namespace {

// Round the world and back by geostationary satellite takes less.
constexpr Nanoseconds kLongestRoundTrip = Seconds(10);
constexpr double kLongestSpan = 9e9;       // what nanoseconds in 64 bits can hold, in seconds
constexpr double kYear2000 = 946'684'800;  // since 1970
constexpr double kYear2200 = 7'258'118'400;

std::string Figure(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

bool Share(double value) { return value >= 0 && value <= 1; }

std::string WrongRoundTrip(const char* what, const std::optional<Nanoseconds>& time,
                           const std::optional<Nanoseconds>& floor) {
  if (!time) return {};
  const std::string said = std::string(what) + " is " + HumanDuration(*time);
  if (*time <= Nanoseconds(0)) return said + "; a round trip takes longer";
  if (*time > kLongestRoundTrip) {
    return said + ", more than 10 s; times are in seconds, are these milliseconds?";
  }
  if (floor && *time < *floor) {
    return said + ", less than the " + HumanDuration(*floor) +
           " that light in fibre takes between these sites; times are in seconds, and coordinates "
           "are in the configuration";
  }
  return {};
}

std::string WrongLoss(const char* way, const LossInterval& loss) {
  for (const double share : {loss.ratio, loss.lower, loss.upper}) {
    if (Share(share)) continue;
    return std::string("loss ") + way + " is " + Figure(share) +
           "; it is a share from 0 to 1, not percent";
  }
  if (loss.lower <= loss.upper) return {};
  return std::string("loss ") + way + " is from " + Figure(loss.lower) + " to " +
         Figure(loss.upper) + "; the lower bound comes first";
}

std::string WrongRate(const char* what, const std::optional<double>& rate) {
  if (!rate || (std::isfinite(*rate) && *rate >= 0)) return {};
  return std::string(what) + " is " + Figure(*rate) + " bytes per second; it cannot be less than 0";
}

std::string WrongAge(const char* what, const std::optional<Nanoseconds>& age) {
  if (!age || *age >= Nanoseconds(0)) return {};
  return std::string(what) + " is " + HumanDuration(*age) + "; it cannot be less than 0";
}

std::string WrongWith(const LinkPoint& point, const std::optional<Nanoseconds>& floor) {
  for (std::string& wrong : std::array{
           WrongRoundTrip("RTT p50", point.rtt_p50, floor),
           WrongRoundTrip("RTT p99", point.rtt_p99, floor),
           WrongRoundTrip("least RTT", point.rtt_min, floor),
           WrongLoss("forward", point.loss_forward), WrongLoss("reverse", point.loss_reverse),
           point.port_loss ? WrongLoss("by ports", *point.port_loss) : std::string(),
           WrongRate("rate", point.rate_bytes_per_second),
           WrongRate("what is available", point.available_bytes_per_second),
           WrongAge("age", point.age), WrongAge("age of the state", point.state_age),
           WrongAge("jitter forward", point.jitter_forward),
           WrongAge("jitter reverse", point.jitter_reverse)}) {
    if (!wrong.empty()) return std::move(wrong);
  }
  return {};
}

}  // namespace

std::string LinkText(const LinkKey& link) { return link.from_site + ">" + link.to_site; }

Result<Nanoseconds> SpanOf(double seconds) {
  if (std::isfinite(seconds) && std::abs(seconds) < kLongestSpan) {
    return Nanoseconds(std::llround(seconds * 1e9));
  }
  return Fail(ErrorCode::kInvalidArgument, Figure(seconds) + " is no number of seconds");
}

Result<WallTime> MomentOf(double unix_seconds) {
  if (unix_seconds >= kYear2000 && unix_seconds < kYear2200) {
    // Milliseconds are as fine as files tell, and survive a double.
    return WallTime(Milliseconds(std::llround(unix_seconds * 1e3)));
  }
  return Fail(ErrorCode::kInvalidArgument,
              Figure(unix_seconds) + " is no time from 2000 to 2200 in seconds since 1970" +
                  (unix_seconds / 1e3 >= kYear2000 ? "; are these milliseconds?" : ""));
}

Status LinkPointsBuilder::Add(const LinkKey& link, const LinkPoint& point) {
  const auto refuse = [&](const std::string& what) {
    return Fail(ErrorCode::kInvalidArgument,
                LinkText(link) + " at " + FormatTime(point.at) + ": " + what);
  };
  std::vector<LinkPoint>& points = points_[link];
  if (!points.empty() && point.at == points.back().at) {
    return refuse("this moment was told before; remove one of the two");
  }
  if (!points.empty() && point.at < points.back().at) {
    return refuse("comes after " + FormatTime(points.back().at) + "; sort the file by time");
  }
  std::optional<Nanoseconds> floor;
  if (link.from_site != link.to_site) floor = lines_.FloorRtt(link.from_site, link.to_site);
  if (const std::string wrong = WrongWith(point, floor); !wrong.empty()) return refuse(wrong);
  points.push_back(point);
  return {};
}

std::optional<WallTime> LinkPointsBuilder::Newest(const LinkKey& link) const {
  const auto found = points_.find(link);
  if (found == points_.end() || found->second.empty()) return std::nullopt;
  return found->second.back().at;
}

}  // namespace fairlead::extender
