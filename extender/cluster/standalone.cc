#include "extender/cluster/standalone.h"

#include <set>
#include <string_view>
#include <utility>

#include "extender/cluster/cluster_state.h"
#include "extender/cluster/quantity.h"

namespace fairlead::extender {
namespace {

constexpr std::string_view kSite = "site";

}  // namespace

ClusterView StandaloneView(const std::vector<NodeConfig>& nodes) {
  ClusterState state{std::string(kSite)};
  std::set<std::string_view> names;
  for (const NodeConfig& node : nodes) {
    if (!names.insert(node.name).second) continue;
    ClusterNode facts;
    facts.name = node.name;
    facts.allocatable = {.milli_cpu = kMostAmount,
                         .memory_bytes = kMostAmount,
                         .ephemeral_storage_bytes = kMostAmount,
                         .extended = {{"rdma/hca", node.hcas}}};
    facts.pods = kMostAmount;
    facts.labels = LabelSet{{kSite, node.site}};
    state.Upsert(std::move(facts));
  }
  return state.Publish({});
}

}  // namespace fairlead::extender
