#include <algorithm>
#include <vector>

#include "deviceplugin/cli/attention.h"
#include "deviceplugin/cli/describe_node.h"
#include "deviceplugin/cli/hca_text.h"
#include "deviceplugin/cli/text_table.h"

namespace fairlead::deviceplugin {
namespace {

// The HCAs at the least distance: "PIX mlx5_0, mlx5_1". The JSON has the distance to each.
std::string Nearest(const Gpu& gpu, const std::vector<Hca>& hcas) {
  PciDistance least = PciDistance::kSystem;
  for (const Hca& hca : hcas) least = std::min(least, DistanceBetween(hca, gpu));
  if (least == PciDistance::kSystem) return "";
  std::vector<std::string> names;
  for (const Hca& hca : hcas) {
    if (DistanceBetween(hca, gpu) == least) names.push_back(hca.name);
  }
  return std::string(PciDistanceName(least)) + " " + JoinWords(names);
}

std::string GpuTable(const NodeInventory& inventory) {
  if (inventory.gpus.empty()) return "";
  TextTable table;
  table.Row({"GPU", "HEALTH", "PRODUCT", "PCI", "NUMA", "NEAREST HCAS", "UUID"});
  for (const Gpu& gpu : inventory.gpus) {
    table.Row({std::to_string(gpu.index), gpu.healthy ? "healthy" : "UNHEALTHY", gpu.product,
               gpu.pci ? FormatPci(*gpu.pci) : "",
               gpu.numa_node < 0 ? "" : std::to_string(gpu.numa_node), Nearest(gpu, inventory.hcas),
               gpu.uuid});
  }
  return table.Text() + "\n";
}

std::string OfferTable(const Offer& offer) {
  TextTable table;
  table.Row({"RESOURCE", "DEVICES", "HEALTHY"});
  for (const auto& resource : offer) {
    const auto& devices = resource->devices();
    const auto healthy = std::count_if(devices.begin(), devices.end(),
                                       [](const OfferedDevice& one) { return one.healthy; });
    table.Row({resource->name(), std::to_string(devices.size()), std::to_string(healthy)});
  }
  return table.Text() + "\n";
}

std::string HoldingTable(const PodHoldings* holdings) {
  if (holdings == nullptr) return "";
  if (!holdings->known()) return "kubelet does not tell which pod holds what\n\n";
  if (holdings->holdings.empty()) return "no pod holds any of them\n\n";
  TextTable table;
  table.Row({"POD", "CONTAINER", "RESOURCE", "HOLDS"});
  for (const Holding& holding : holdings->holdings) {
    table.Row({holding.pod_namespace + "/" + holding.pod, holding.container, holding.resource,
               JoinWords(holding.device_ids)});
  }
  return table.Text() + "\n";
}

std::string HostLine(const NodeInventory& inventory) {
  std::string line;
  switch (inventory.netns_mode) {
    case NetnsMode::kShared:
      line = "Every network namespace sees all RDMA devices (shared)";
      break;
    case NetnsMode::kExclusive:
      line = "Each RDMA device belongs to one network namespace (exclusive)";
      break;
    case NetnsMode::kUnknown:
      line = "Whether RDMA devices belong to network namespaces is not known";
      break;
  }
  return line + (inventory.rdma_cm ? "; rdma_cm is there.\n" : "; there is no rdma_cm.\n");
}

}  // namespace

std::vector<std::string> PoolsOf(const NodeListing& listing, std::size_t hca) {
  std::vector<std::string> names;
  const auto& lists = listing.state.match.hcas;
  for (std::size_t i = 0; i < lists.size() && i < listing.pools.size(); ++i) {
    if (std::binary_search(lists[i].begin(), lists[i].end(), hca)) {
      names.push_back(listing.pools[i].resource);
    }
  }
  return names;
}

std::string NodeAsText(const NodeListing& listing) {
  const NodeState& state = listing.state;
  std::string text;
  for (std::size_t i = 0; i < state.watched.size(); ++i) text += HcaDetails(listing, i) + "\n";
  if (!state.watched.empty()) text += HcaTable(listing) + "\n";
  text += GpuTable(state.inventory);
  text += OfferTable(listing.offer);
  text += HoldingTable(listing.holdings);
  text += HostLine(state.inventory);
  const std::vector<std::string> wrong = Attention(state);
  if (wrong.empty()) return text + "Nothing is wrong.\n";
  text += "What is wrong or left out:\n";
  for (const std::string& sentence : wrong) text += "  " + sentence + "\n";
  return text;
}

}  // namespace fairlead::deviceplugin
