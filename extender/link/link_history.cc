#include "extender/link/link_history.h"

#include <algorithm>
#include <optional>

namespace fairlead::extender {
namespace {

std::optional<double> Ratio(const LossInterval& loss) {
  if (!loss.known()) return std::nullopt;
  return loss.ratio;
}

}  // namespace

void LinkHistoryRing::Add(const LinkView& view, MonotonicTime now, Nanoseconds step,
                          std::size_t max_points) {
  // A copy, because readers may still hold the vector before it.
  std::vector<LinkHistoryPoint> points(*points_);
  if (points.empty() || now - points.back().at >= step) {
    points.emplace_back().at = now;
  }
  LinkHistoryPoint& point = points.back();
  point.rtt_p50 = view.rtt_p50;
  point.loss_forward = Ratio(view.forward.loss);
  point.loss_reverse = Ratio(view.reverse.loss);
  point.state = std::max(point.state, view.state);
  if (points.size() > max_points) {
    points.erase(points.begin(),
                 points.end() - static_cast<std::ptrdiff_t>(std::max<std::size_t>(max_points, 1)));
  }
  points_ = std::make_shared<const std::vector<LinkHistoryPoint>>(std::move(points));
}

}  // namespace fairlead::extender
