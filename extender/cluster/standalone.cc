#include "extender/cluster/standalone.h"

#include <set>
#include <string>
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

Status CheckStandaloneEdit(const ClusterView& known, const std::vector<NodeConfig>& nodes) {
  if (known.nodes().empty() || !nodes.empty()) return {};
  return Fail(ErrorCode::kInvalidArgument,
              "nodes: of " + std::to_string(known.nodes().size()) +
                  " known nodes none is left; list those that there are, or set "
                  "extender.kubernetes.mode and restart");
}

}  // namespace fairlead::extender
