#include "extender/cluster_api/cluster_link.h"

#include <functional>
#include <utility>

#include "extender/cluster_api/watch_times.h"

namespace fairlead::extender {

Result<ClusterLink> MakeClusterLink(const Config& config, const kube::Access& access,
                                    const std::string& user_agent, const std::string& instance,
                                    const Clock& clock, Snapshot<ClusterView>& view,
                                    std::function<void()> published) {
  FeedSettings settings;
  settings.access = access;
  settings.user_agent = user_agent;
  settings.site_label = config.site_node_label;
  settings.limits = WatchTimesFor(config.extender.kubernetes.stale);
  settings.seed = std::hash<std::string>{}(instance);
  settings.published = std::move(published);
  auto feed = ClusterFeed::Create(std::move(settings), clock, view);
  if (!feed) return Fail(feed.error());
  const KubernetesConfig& kubernetes = config.extender.kubernetes;
  auto tokens = TokenReviewer::Create(
      access, user_agent,
      {.audience = kubernetes.token_audience, .service_account = kubernetes.probe_service_account},
      clock);
  if (!tokens) return Fail(tokens.error());
  auto writer = ClusterWriter::Create(access, user_agent, instance, view, clock);
  if (!writer) return Fail(writer.error());
  return ClusterLink{*std::move(feed), *std::move(tokens), *std::move(writer)};
}

}  // namespace fairlead::extender
