// How well the API server is followed, asked and written to, as Prometheus families.
#pragma once

#include <prometheus/collectable.h>
#include <prometheus/metric_family.h>

#include <functional>
#include <vector>

#include "common/base/clock.h"
#include "common/base/snapshot.h"
#include "extender/cluster/cluster_view.h"
#include "extender/cluster_api/cluster_writer.h"
#include "extender/cluster_api/feed_status.h"
#include "extender/cluster_api/token_reviewer.h"

namespace fairlead::extender {

// Where the numbers come from; each is thread-safe.
struct ClusterSources {
  std::function<std::vector<ResourceStatus>()> resources;
  std::function<ReviewCounts()> reviews;
  std::function<WriteCounts()> writes;
};

// Thread-safe. What has not happened yet has no series but for the ages, which are missing until a
// resource was heard of. `view` and `clock` must outlive it.
class ClusterCollector final : public prometheus::Collectable {
 public:
  ClusterCollector(ClusterSources sources, const Snapshot<ClusterView>& view, const Clock& clock)
      : sources_(std::move(sources)), view_(view), clock_(clock) {}

  std::vector<prometheus::MetricFamily> Collect() const override;

 private:
  const ClusterSources sources_;
  const Snapshot<ClusterView>& view_;
  const Clock& clock_;
};

}  // namespace fairlead::extender
