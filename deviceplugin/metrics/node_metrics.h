// Everything the plugin shows to Prometheus, read from the loops' snapshots at scrape time.
#pragma once

#include <prometheus/collectable.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/config/config_watcher.h"
#include "deviceplugin/kubelet/kubelet_status.h"
#include "deviceplugin/kubelet/pod_resources.h"
#include "deviceplugin/nccl_conf/conf_files.h"
#include "deviceplugin/node/node_state.h"
#include "deviceplugin/offer/resource.h"
#include "deviceplugin/publish/node_files.h"
#include "deviceplugin/verdicts/verdict_listener.h"

namespace fairlead::deviceplugin {

// What one scrape reads.
struct MetricSources {
  std::string node;
  std::string version;
  std::function<std::shared_ptr<const NodeState>()> state;
  std::function<std::shared_ptr<const Offer>()> offer;
  std::function<KubeletStatus()> kubelet;
  std::function<std::shared_ptr<const PodHoldings>()> holdings;
  std::function<PodResourcesStatus()> pod_resources;
  std::function<VerdictCounts()> verdicts = [] { return VerdictCounts{}; };
  std::function<NodeFileFailures()> files = [] { return NodeFileFailures{}; };
  std::function<ConfCounts()> nccl_confs = [] { return ConfCounts{}; };
  std::function<ReloadStats()> config_reloads;
};

// Series of a device exist as long as it is listed. Thread-safe if the sources are.
class NodeMetrics final : public prometheus::Collectable {
 public:
  explicit NodeMetrics(MetricSources sources) : sources_(std::move(sources)) {}

  std::vector<prometheus::MetricFamily> Collect() const override;

 private:
  const MetricSources sources_;
};

}  // namespace fairlead::deviceplugin
