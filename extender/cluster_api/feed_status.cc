#include "extender/cluster_api/feed_status.h"

namespace fairlead::extender {
namespace {

std::string TroubleOf(const ResourceStatus& one) {
  if (!one.followed.trouble.empty()) return one.followed.trouble;
  if (!one.followed.synced) return "waiting for the list of " + one.resource;
  if (one.followed.bad_objects > 0) {
    return "cannot read some " + one.resource + ", the last of them " +
           one.followed.last_bad_object;
  }
  return {};
}

}  // namespace

FeedHealth JudgeFeed(const std::vector<ResourceStatus>& resources) {
  FeedHealth health{.ready = true, .settled = true, .trouble = {}};
  for (const ResourceStatus& one : resources) {
    health.ready &= !one.needed || one.followed.synced;
    health.settled &= one.followed.synced || (!one.needed && !one.followed.trouble.empty());
    const std::string trouble = TroubleOf(one);
    if (trouble.empty()) continue;
    if (!health.trouble.empty()) health.trouble += "; ";
    health.trouble += trouble;
  }
  return health;
}

}  // namespace fairlead::extender
