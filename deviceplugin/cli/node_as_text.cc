#include <algorithm>

#include "common/units/human.h"
#include "deviceplugin/cli/describe_node.h"
#include "deviceplugin/pool/rejection.h"

namespace fairlead::deviceplugin {
namespace {

std::string Padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size() + 1), ' ');
  return text;
}

void AddPart(std::string& line, const std::string& part) {
  if (part.empty()) return;
  if (!line.empty()) line += ", ";
  line += part;
}

std::string Headline(const WatchedHca& watched) {
  const Hca& hca = watched.hca;
  std::string line(ProtocolName(hca.protocol));
  AddPart(line, hca.driver);
  AddPart(line, hca.pci ? "PCI " + FormatPci(*hca.pci) : "");
  if (hca.function == PciFunction::kVirtual || hca.function == PciFunction::kSubfunction) {
    AddPart(line, std::string(FunctionName(hca.function)) +
                      (hca.parent ? " of " + FormatPci(*hca.parent) : ""));
  }
  AddPart(line, hca.numa_node < 0 ? "" : "NUMA " + std::to_string(hca.numa_node));
  AddPart(line, hca.bonded ? "bonded" : "");
  AddPart(line, hca.firmware.empty() ? "" : "firmware " + hca.firmware);
  AddPart(line, hca.uverbs.empty() ? "no uverbs node"
                                   : hca.uverbs + " (ABI " + std::to_string(hca.uverbs_abi) + ")");
  return line;
}

std::string HealthLine(const WatchedHca& watched) {
  std::string line = watched.healthy ? "healthy" : "NOT healthy";
  if (!watched.sentence.empty())
    line += (watched.healthy ? ", but ails: " : ": ") + watched.sentence;
  return line;
}

std::string PortText(const HcaPort& port) {
  std::string line = "  port " + std::to_string(port.number) + ": " +
                     std::string(PortStateName(port.state)) + ", " +
                     std::string(PhysicalStateName(port.physical_state)) + ", " +
                     std::string(LinkLayerName(port.link_layer));
  if (port.rate_bits_per_second > 0) {
    AddPart(line, HumanRate(static_cast<double>(port.rate_bits_per_second)));
  }
  if (port.mtu_bytes > 0) AddPart(line, "MTU " + std::to_string(port.mtu_bytes));
  for (const std::string& netdev : port.netdevs) AddPart(line, netdev);
  line += "\n";
  for (const RankedGid& ranked : port.ranked) {
    const auto entry = std::find_if(port.gids.begin(), port.gids.end(),
                                    [&](const GidEntry& gid) { return gid.index == ranked.index; });
    if (entry == port.gids.end()) continue;
    line += "    gid " + Padded(std::to_string(entry->index), 4) +
            Padded(HumanGid(entry->gid), 28) + Padded(std::string(GidTypeName(entry->type)), 11) +
            Padded(entry->netdev.empty() ? "-" : entry->netdev, 12) +
            (ranked.usable ? "rank " + std::to_string(ranked.rank) : "not used") +
            (ranked.reason.empty() ? "" : ": " + ranked.reason) + "\n";
  }
  if (port.gids.empty()) line += "    no GIDs\n";
  return line;
}

std::string PoolText(const NodeListing& listing, std::size_t hca) {
  std::string line;
  for (const std::string& pool : PoolsOf(listing, hca)) AddPart(line, pool);
  if (!line.empty()) return "  in " + line + "\n";
  const auto left_out =
      std::find_if(listing.state.match.left_out.begin(), listing.state.match.left_out.end(),
                   [&](const LeftOut& one) { return one.hca == hca; });
  if (left_out == listing.state.match.left_out.end() || left_out->rejections.empty()) {
    return "  in no pool: none is configured\n";
  }
  for (const Rejection& rejection : left_out->rejections) {
    line += "  not in " + (rejection.pool.empty() ? "any pool" : rejection.pool) + " (" +
            std::string(RejectReasonName(rejection.reason)) + "): " + rejection.sentence + "\n";
  }
  return line;
}

std::string GpuText(const Gpu& gpu, const std::vector<Hca>& hcas) {
  std::string line = "gpu " + std::to_string(gpu.index) + ": " + gpu.product;
  AddPart(line, gpu.uuid);
  AddPart(line, gpu.pci ? "PCI " + FormatPci(*gpu.pci) : "");
  AddPart(line, gpu.numa_node < 0 ? "" : "NUMA " + std::to_string(gpu.numa_node));
  AddPart(line, gpu.healthy ? "healthy" : "NOT healthy: " + gpu.reason);
  line += "\n";
  if (hcas.empty()) return line;
  line += "  to";
  for (const Hca& hca : hcas) {
    line += " " + hca.name + " " + std::string(PciDistanceName(DistanceBetween(hca, gpu)));
  }
  return line + "\n";
}

std::string OfferText(const Offer& offer) {
  std::string text;
  for (const auto& resource : offer) {
    const auto& devices = resource->devices();
    const auto healthy = static_cast<std::size_t>(
        std::count_if(devices.begin(), devices.end(), [](const auto& one) { return one.healthy; }));
    text += Padded(resource->name(), 24) + std::to_string(healthy) + " of " +
            Counted(devices.size(), "device", "devices") + " healthy\n";
  }
  return text;
}

std::string HoldingText(const PodHoldings& holdings) {
  if (!holdings.known()) return "kubelet does not tell which pod holds what\n";
  if (holdings.holdings.empty()) return "no pod holds any of them\n";
  std::string text;
  for (const Holding& holding : holdings.holdings) {
    text += holding.pod_namespace + "/" + holding.pod + " " + holding.container + ": " +
            holding.resource;
    for (const std::string& id : holding.device_ids) text += " " + id;
    text += "\n";
  }
  return text;
}

std::string_view NetnsText(NetnsMode mode) {
  switch (mode) {
    case NetnsMode::kShared:
      return "RDMA devices are seen from every network namespace (shared)\n";
    case NetnsMode::kExclusive:
      return "RDMA devices belong to one network namespace each (exclusive)\n";
    case NetnsMode::kUnknown:
      break;
  }
  return "";
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
  for (std::size_t i = 0; i < state.watched.size(); ++i) {
    const WatchedHca& watched = state.watched[i];
    text += watched.hca.name + " (" + watched.id + "): " + HealthLine(watched) + "\n";
    text += "  " + Headline(watched) + "\n" + PoolText(listing, i);
    for (const HcaPort& port : watched.hca.ports) text += PortText(port);
    for (const std::string& problem : watched.hca.problems) text += "  problem: " + problem + "\n";
  }
  if (state.watched.empty()) text += "no RDMA device\n";
  for (const Gpu& gpu : state.inventory.gpus) text += GpuText(gpu, state.inventory.hcas);
  text += NetnsText(state.inventory.netns_mode);
  for (const Overlap& overlap : state.match.overlaps) text += "overlap: " + overlap.sentence + "\n";
  for (const std::string& problem : state.inventory.problems) text += "problem: " + problem + "\n";
  for (const std::string& warning : state.warnings) text += "warning: " + warning + "\n";
  text += "\n" + OfferText(listing.offer);
  if (listing.holdings != nullptr) text += "\n" + HoldingText(*listing.holdings);
  return text;
}

}  // namespace fairlead::deviceplugin
