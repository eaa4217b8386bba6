// One question to kubelet which pod holds what.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "deviceplugin/kubelet/pod_resources.h"
#include "deviceplugin/offer/resource.h"

namespace fairlead::deviceplugin {

std::string PodResourcesSocket(const std::string& kubelet_directory);

// What is held of the resources in the offer, sorted by namespace, pod, container and resource.
// kUnavailable names the socket when kubelet does not answer within the deadline or `stop` cancels
// the call. Blocks; thread-safe.
Result<std::vector<Holding>> AskWhoHolds(const std::string& socket, const Offer& offer,
                                         Nanoseconds deadline, const std::stop_token& stop);

}  // namespace fairlead::deviceplugin
