#include "deviceplugin/allocation/hca_grant.h"

#include <utility>

#include "deviceplugin/allocation/device_nodes.h"

namespace fairlead::deviceplugin {

Result<Grant> GrantHcas(const HcaPool& pool, std::span<const std::size_t> positions) {
  Grant grant;
  std::vector<const Hca*> hcas;
  for (const std::size_t position : positions) {
    const OfferedHca& offered = pool.hcas[position];
    if (!offered.present || offered.hca->uverbs.empty()) {
      return Fail(ErrorCode::kUnavailable,
                  offered.hca->name + " (" + offered.id + ") is gone from this node; " +
                      pool.profile.resource + " needs it back or a pod elsewhere");
    }
    hcas.push_back(offered.hca.get());
    if (pool.cdi) {
      grant.cdi_devices.push_back(std::string(kHcaCdiKind) + "=" + offered.id);
      continue;
    }
    for (DeviceNode& node : NodesOf(*offered.hca, pool.rdma_cm)) {
      grant.nodes.push_back(std::move(node));
    }
  }
  SortUnique(grant.nodes);
  Profile profile = MakeProfile(hcas, pool.profile);
  grant.env = std::move(profile.env);
  grant.warnings = std::move(profile.warnings);
  if (WantsNcclConf(pool.profile)) {
    grant.nccl = NcclJob{.hcas = {}, .gpus = {}, .settings = pool.profile};
    for (const std::size_t position : positions) {
      grant.nccl->hcas.push_back(pool.hcas[position].hca);
    }
  }
  return grant;
}

}  // namespace fairlead::deviceplugin
