// The ports that a container may use.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/config/deviceplugin_config.h"
#include "deviceplugin/inventory/hca.h"

namespace fairlead::deviceplugin {

// One port of an allocated HCA. Points into the inventory.
struct AllocatedPort {
  const Hca* hca = nullptr;
  const HcaPort* port = nullptr;

  // "mlx5_0:1", as NCCL and UCX name it.
  std::string Name() const;
  bool IsRoce() const;
  // RoCE or InfiniBand: what NCCL's and UCX's verbs transports speak.
  bool SpeaksVerbs() const;
};

// The ports that `select` takes, sorted by the device's name and the port's number. Of an HCA with
// an active port only the active ones: what a container is told stays for the pod's life, and for a
// port that was down nobody knows which GID will be right when it comes up. Of an HCA without one
// all: it was allocated before and may come back. Pure.
std::vector<AllocatedPort> PortsOf(std::span<const Hca* const> hcas, const HcaSelector& select);

// The entry ranked first; null where none is usable.
const GidEntry* BestGid(const HcaPort& port);
// Its verdict; null where none is usable.
const RankedGid* BestVerdict(const HcaPort& port);

}  // namespace fairlead::deviceplugin
