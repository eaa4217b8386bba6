// Bandwidth leases onto the wire, and what probes say of them and of their tests.
#pragma once

#include <string_view>
#include <vector>

#include "extender/cluster/node_names.h"
#include "extender/lease/lease.h"
#include "extender/link/line_rate.h"
#include "extender/registry/probe_identity.h"

namespace fairlead::v1 {
class BandwidthLease;
class BandwidthReport;
class BandwidthTests;
}  // namespace fairlead::v1

namespace fairlead::extender {

void EncodeLease(const BandwidthLease& lease, v1::BandwidthLease& out);

// Left out are answers with a result that is not known, and spending on lines that do not end in
// the probe's site: it has nothing to say of the others.
LeaseReport DecodeLeases(const v1::BandwidthTests& wire, const ProbeIdentity& probe,
                         const NodeNames& inventory);

// Each test with a rate and an age that are possible; one sentence in `refused` for each other.
std::vector<CapacityTest> DecodeTests(const v1::BandwidthReport& wire,
                                      std::vector<Refusal>& refused);

}  // namespace fairlead::extender
