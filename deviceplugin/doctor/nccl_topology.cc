#include "deviceplugin/doctor/nccl_topology.h"

#include <algorithm>
#include <cmath>

#include "common/units/human.h"
#include "deviceplugin/doctor/gpu_direct.h"
#include "deviceplugin/doctor/nccl_window.h"
#include "deviceplugin/doctor/port_view.h"

namespace fairlead::deviceplugin {
namespace {

constexpr double kSoftWindowPackets = 128;  // of one queue pair of soft RoCE
constexpr double kMostQueuePairs = 128;     // NCCL's limit

// What a soft RoCE device needs; 0 where there is none.
std::uint32_t SoftQueuePairs(const NodeFacts& facts, const LineLoad& line) {
  for (const PortView& view : RocePorts(facts)) {
    if (view.hca->driver != "rxe") continue;
    const auto mtu = LargestMtu(view.port->mtu_bytes, kRoceOverheadBytes);
    if (!mtu) continue;
    const double channels = WindowFor(line.bytes_in_flight).channels;
    const double needed =
        line.bytes_in_flight / (kSoftWindowPackets * static_cast<double>(*mtu) * channels);
    return static_cast<std::uint32_t>(std::clamp(std::ceil(needed), 1.0, kMostQueuePairs));
  }
  return 0;
}

bool Bonded(const NodeFacts& facts) {
  return std::any_of(facts.inventory.hcas.begin(), facts.inventory.hcas.end(),
                     [](const Hca& hca) { return hca.bonded; });
}

NcclSetting GdrLevel(const NodeFacts& facts) {
  NcclSetting setting{"NCCL_NET_GDR_LEVEL", "", ""};
  std::optional<PciDistance> farthest;
  for (const Gpu& gpu : facts.inventory.gpus) {
    const auto nearest = gpu.pci_path ? NearestHca(facts, gpu) : std::nullopt;
    if (nearest && (!farthest || *nearest > *farthest)) farthest = nearest;
  }
  if (!farthest) {
    setting.why =
        "How far GPUs are from HCAs is not known here (NVML is asked where "
        "`deviceplugin.gpus` wants GPUs).";
    return setting;
  }
  const std::string distance(PciDistanceName(*farthest));
  if (*farthest <= PciDistance::kSwitches) {
    setting.why = "The farthest GPU is " + distance + " from its HCA, within the default, PXB.";
  } else if (*farthest == PciDistance::kBridge) {
    setting.value = "PHB";
    setting.why =
        "The farthest GPU is PHB from its HCA: below one host bridge, which carries "
        "requests between devices on present hosts; the default stops at PXB. Compare "
        "before and after.";
  } else {
    setting.why = "The farthest GPU is " + distance +
                  " from its HCA: across sockets GPUDirect is mostly slower than host memory.";
  }
  return setting;
}

}  // namespace

void AdviseQueuePairs(const NodeFacts& facts, const NcclQuestion& question,
                      std::vector<NcclSetting>& out) {
  NcclSetting setting{"NCCL_IB_QPS_PER_CONNECTION", "", ""};
  const std::uint32_t soft = question.line ? SoftQueuePairs(facts, *question.line) : 0;
  if (soft > 1) {
    setting.value = std::to_string(soft);
    setting.why =
        "Soft RoCE has 128 packets under way for each queue pair, so several are needed "
        "for " +
        BytesText(question.line->bytes_in_flight) + ".";
  } else if (Bonded(facts)) {
    setting.value = "2";
    setting.why = "A device is a bond of two ports, and one queue pair uses one of them.";
  } else {
    setting.why =
        "One is enough: the window is what NCCL posts, not a queue pair's (2^23 packets), "
        "and more divide the same bytes. Several help only on equal paths of the line.";
  }
  out.push_back(std::move(setting));
  out.push_back({"NCCL_IB_SPLIT_DATA_ON_QPS", "",
                 "0, the default, sends whole messages in turn over the queue pairs; divided "
                 "messages cost more work requests and gain nothing on a long line."});
}

void AdviseInterfaces(const NodeFacts& facts, std::vector<NcclSetting>& out) {
  NcclSetting setting{"NCCL_SOCKET_IFNAME", "", ""};
  const bool host = std::any_of(facts.pools.begin(), facts.pools.end(), [](const PoolConfig& pool) {
    return pool.network == PodNetwork::kHost;
  });
  const auto& route = facts.host.default_route;
  if (!host) {
    setting.why =
        "The pools' pods have a network of their own, whose interfaces the node does not "
        "know; with one, NCCL finds it.";
  } else if (!route || route->empty()) {
    setting.why = "No default route tells which interface reaches the other sites" +
                  (route ? std::string(".") : ": " + route.why_not() + ".");
  } else {
    setting.value = "=" + *route;
    setting.why =
        "The default route, by which other sites are reached, leaves by it; NCCL would "
        "take the first interface that is up, perhaps an HCA's that has no way there.";
  }
  out.push_back(std::move(setting));
  out.push_back(GdrLevel(facts));
}

}  // namespace fairlead::deviceplugin
