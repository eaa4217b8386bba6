// Follows the API server and publishes views of the cluster.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "common/base/snapshot.h"
#include "common/kube/access.h"
#include "common/kube/reflector.h"
#include "extender/cluster/cluster_view.h"
#include "extender/cluster_api/feed_status.h"

namespace fairlead::extender {

struct FeedSettings {
  kube::Access access;
  std::string user_agent;  // program and version
  std::string site_label;
  std::uint64_t seed = 0;  // should differ between replicas
  kube::ReflectorLimits limits = {};
  Nanoseconds least_gap = Milliseconds(50);  // between two views
  std::function<void()> published = {};      // called by its thread after each view; may be empty
};

// A thread for each resource and one that publishes. The first view is published as soon as nodes
// and pods have been listed, later ones when something changed, `least_gap` apart at least, and
// every second when only the times have.
class ClusterFeed {
 public:
  // Fails where the access itself is wrong. `view` and `clock` must outlive it.
  static Result<std::unique_ptr<ClusterFeed>> Create(FeedSettings settings, const Clock& clock,
                                                     Snapshot<ClusterView>& view);
  // Waits for no answer.
  ~ClusterFeed();

  void Start();
  // All thread-safe.
  void SetSiteLabel(std::string site_label);
  std::vector<ResourceStatus> status() const;

 private:
  class Impl;
  explicit ClusterFeed(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace fairlead::extender
