// The series of a node's HCAs and GPUs.
#pragma once

#include "common/metrics/family_set.h"
#include "deviceplugin/node/node_state.h"
#include "deviceplugin/offer/resource.h"

namespace fairlead::deviceplugin {

// device_info, device_healthy, device_ailment, port_up, device_left_out, pool_overlap, gpu_healthy
// and what could not be read.
void AddDeviceFamilies(const NodeState& state, FamilySet& out);

// devices by resource and health.
void AddOfferFamilies(const Offer& offer, FamilySet& out);

}  // namespace fairlead::deviceplugin
