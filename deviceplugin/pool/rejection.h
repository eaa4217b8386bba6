// Why a pool does not take an HCA.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "common/config/deviceplugin_config.h"
#include "deviceplugin/inventory/node_inventory.h"

namespace fairlead::deviceplugin {

// The first three hold for every pool, the others for the one whose selector it is.
enum class RejectReason {
  kNoUverbs,  // no device node, so no container could open it
  kNoPort,
  kNoRdmaCm,  // iWARP sets up each of its connections through rdma_cm
  kVendor,
  kDriver,
  kDevice,
  kInterface,
  kPciAddress,
  kLinkType,
  kFunction,
};

// A stable word for logs, JSON and metrics: "no_uverbs", "link_type".
std::string_view RejectReasonName(RejectReason reason);

struct Rejection {
  std::string pool;  // its resource
  RejectReason reason = RejectReason::kNoUverbs;
  std::string sentence;  // names what the HCA has and what was wanted

  bool operator==(const Rejection&) const = default;
};

// What keeps the HCA out of any pool; `pool` is left empty. Pure.
std::optional<Rejection> Unusable(const Hca& hca, bool rdma_cm);

// The first selector of the pool that rejects the HCA, in the order of HcaSelector. Pure.
std::optional<Rejection> RejectedBy(const PoolConfig& pool, const Hca& hca);

// Whether the pool hands out this port of an HCA that it takes. Pure.
bool TakesPort(const HcaSelector& select, const HcaPort& port);

}  // namespace fairlead::deviceplugin
