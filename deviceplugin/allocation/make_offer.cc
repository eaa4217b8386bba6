#include "deviceplugin/allocation/make_offer.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "deviceplugin/allocation/device_nodes.h"
#include "deviceplugin/allocation/gpu_hca_resource.h"
#include "deviceplugin/allocation/gpu_resource.h"
#include "deviceplugin/allocation/hca_resource.h"
#include "deviceplugin/allocation/probe_resource.h"
#include "deviceplugin/inventory/device_id.h"

namespace fairlead::deviceplugin {
namespace {

// Shared by all resources that hand them out, one for each HCA of the inventory.
std::vector<OfferedHca> OfferedHcas(const NodeInventory& inventory,
                                    std::span<const HcaVerdict> verdicts) {
  std::vector<std::string> ids = HcaIds(inventory.hcas);
  std::vector<OfferedHca> out;
  for (std::size_t i = 0; i < inventory.hcas.size(); ++i) {
    const HcaVerdict verdict = i < verdicts.size() ? verdicts[i] : HcaVerdict();
    if (!verdict.id.empty()) ids[i] = verdict.id;
    out.push_back(
        {std::make_shared<const Hca>(inventory.hcas[i]), ids[i], verdict.healthy, verdict.present});
  }
  return out;
}

// The pool that says which HCAs these are: itself or the one it is a priority of.
const PoolConfig& Owner(const PoolConfig& pool, const std::vector<PoolConfig>& pools) {
  const auto owner = std::find_if(pools.begin(), pools.end(), [&](const PoolConfig& other) {
    return other.resource == pool.priority_of;
  });
  return owner == pools.end() ? pool : *owner;
}

ProfileSettings SettingsOf(const PoolConfig& pool, const DevicepluginConfig& config) {
  ProfileSettings settings;
  settings.resource = pool.resource;
  settings.network = pool.network;
  settings.select = Owner(pool, config.pools).select;
  settings.priority = pool.priority;
  settings.variables = pool.variables;
  settings.gid_allow = config.gid_allow;
  settings.gid_deny = config.gid_deny;
  settings.outage = config.outage;
  settings.nccl_conf = pool.nccl_conf;
  return settings;
}

std::vector<DeviceNode> ProbeNodes(const std::vector<OfferedHca>& hcas, bool rdma_cm) {
  std::vector<DeviceNode> nodes;
  if (rdma_cm) nodes.push_back(InfinibandNode("rdma_cm"));
  for (const OfferedHca& offered : hcas) {
    if (!offered.present) continue;
    for (DeviceNode& node : NodesOf(*offered.hca, rdma_cm)) nodes.push_back(std::move(node));
  }
  SortUnique(nodes);
  return nodes;
}

}  // namespace

Offer MakeOffer(const NodeInventory& inventory, const PoolMatch& match,
                std::span<const HcaVerdict> verdicts, const DevicepluginConfig& config) {
  const std::vector<OfferedHca> hcas = OfferedHcas(inventory, verdicts);
  Offer offer;
  for (std::size_t i = 0; i < config.pools.size(); ++i) {
    const PoolConfig& pool = config.pools[i];
    HcaPool own{{}, SettingsOf(pool, config), inventory.rdma_cm, config.cdi};
    for (const std::size_t position : match.hcas[i]) own.hcas.push_back(hcas[position]);
    std::sort(own.hcas.begin(), own.hcas.end(),
              [](const OfferedHca& a, const OfferedHca& b) { return a.id < b.id; });
    if (pool.resource == config.gpus.pair_resource) {
      offer.push_back(std::make_shared<GpuHcaResource>(std::move(own), pool.slots, inventory.gpus));
    } else {
      offer.push_back(std::make_shared<HcaResource>(std::move(own), pool.slots, inventory.gpus));
    }
  }
  if (config.gpus.advertise) {
    offer.push_back(
        std::make_shared<GpuResource>(config.gpus.resource, inventory.gpus, config.cdi));
  }
  offer.push_back(std::make_shared<ProbeResource>(ProbeNodes(hcas, inventory.rdma_cm)));
  std::sort(offer.begin(), offer.end(),
            [](const auto& a, const auto& b) { return a->name() < b->name(); });
  return offer;
}

}  // namespace fairlead::deviceplugin
