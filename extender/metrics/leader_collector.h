// The election as metrics.
#pragma once

#include <prometheus/collectable.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "common/base/clock.h"
#include "common/base/snapshot.h"
#include "extender/leader/leadership.h"
#include "extender/leader_api/election_status.h"

namespace fairlead::extender {

// fairlead_extender_leading, _leader_term, _leaderships_total, _lease_failures_total,
// _leader_label_failures_total and _follower_refusals_total. Thread-safe; what it reads outlives
// it.
class LeaderCollector final : public prometheus::Collectable {
 public:
  // `status` is empty where nothing is elected.
  LeaderCollector(const Snapshot<Leadership>& leadership, std::function<ElectionStatus()> status,
                  const Clock& clock);

  // A scheduler asked this replica, which does not lead, and was refused.
  void RefusedAsFollower() { follower_refusals_.fetch_add(1, std::memory_order_relaxed); }

  std::vector<prometheus::MetricFamily> Collect() const override;

 private:
  const Snapshot<Leadership>& leadership_;
  const std::function<ElectionStatus()> status_;
  const Clock& clock_;
  std::atomic<std::uint64_t> follower_refusals_ = 0;
};

}  // namespace fairlead::extender
