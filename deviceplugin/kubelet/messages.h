// Our values in kubelet's words. Pure.
#pragma once

#include "deviceplugin/offer/resource.h"
#include "kubelet/deviceplugin_v1beta1.pb.h"

namespace fairlead::deviceplugin {

inline constexpr const char* kDevicePluginVersion = "v1beta1";

// The whole list of a resource. A device whose NUMA node is not known has no topology: kubelet
// would take -1 for a node.
::v1beta1::ListAndWatchResponse EncodeDevices(const std::vector<OfferedDevice>& devices);

::v1beta1::ContainerAllocateResponse EncodeGrant(const Grant& grant);

// A size below 0 counts as 0.
Preference DecodePreference(const ::v1beta1::ContainerPreferredAllocationRequest& request);

}  // namespace fairlead::deviceplugin
