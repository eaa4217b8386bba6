// A bounded history of one link at fixed steps.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "common/base/clock.h"
#include "extender/link/link_view.h"

namespace fairlead::extender {

// Single-threaded. What Points() returned before is never changed.
class LinkHistoryRing {
 public:
  // Merges into the running step, or begins a new one; steps in which nothing was added are left
  // out. Keeps the newest `max_points`.
  void Add(const LinkView& view, MonotonicTime now, Nanoseconds step, std::size_t max_points);

  LinkHistory Points() const { return points_; }

 private:
  LinkHistory points_ = std::make_shared<const std::vector<LinkHistoryPoint>>();
};

}  // namespace fairlead::extender
