// Everything between the extender and the API server, set up at once.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "common/base/snapshot.h"
#include "common/config/config.h"
#include "common/kube/access.h"
#include "extender/cluster/cluster_view.h"
#include "extender/cluster_api/cluster_feed.h"
#include "extender/cluster_api/cluster_writer.h"
#include "extender/cluster_api/token_reviewer.h"

namespace fairlead::extender {

struct ClusterLink {
  std::unique_ptr<ClusterFeed> feed;
  std::unique_ptr<TokenReviewer> tokens;
  std::unique_ptr<ClusterWriter> writer;
};

// Nothing of it is started. `user_agent` is program and version, `instance` names this process in
// Events, `published` is called by the feed's thread after each view. `view` and `clock` must
// outlive it.
Result<ClusterLink> MakeClusterLink(const Config& config, const kube::Access& access,
                                    const std::string& user_agent, const std::string& instance,
                                    const Clock& clock, Snapshot<ClusterView>& view,
                                    std::function<void()> published = {});

}  // namespace fairlead::extender
