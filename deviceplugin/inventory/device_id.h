// The names under which kubelet knows HCAs and GPUs.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "deviceplugin/inventory/node_inventory.h"

namespace fairlead::deviceplugin {

// Every identifier here is a DNS label (RFC 1123) short enough to stay one with any slot appended,
// and follows from the device itself, so that it is the same after restarts and rescans. Pure.

// "0000-3b-00-0" for PCI function 0000:3b:00.0, "0000-3b-00-0-sf88" for sub-function 88 made of it;
// without PCI the RDMA device's name: "rxe-eth0" for rxe_eth0. A name that would lose a difference
// in that form gets a hash of itself at its end.
std::string HcaId(const Hca& hca);

// The identifiers that were given before, by HcaId and name.
using KnownHcaIds = std::map<std::pair<std::string, std::string>, std::string>;

// HcaId for each, in the same order and never the same twice: where several RDMA devices share one
// PCI function, the one with a uverbs node and the first name keeps the plain form and the others
// get a hash of their names. One that is known keeps what it has, whoever else has come or gone;
// after a restart those count that are there then.
std::vector<std::string> HcaIds(std::span<const Hca> hcas, const KnownHcaIds& known = {});

// "gpu-8f6d0c2a-...": the UUID in lower case; without one "gpu-" and the PCI address, or the index.
std::string GpuId(const Gpu& gpu);

// Eight hexadecimal digits of the text, to tell it from others: FNV-1a of 64 bits, folded.
std::string TextHash(std::string_view text);

// "0000-3b-00-0-s2": one of the slots of a shared device.
std::string SlotId(std::string_view device_id, std::uint32_t slot);

}  // namespace fairlead::deviceplugin
