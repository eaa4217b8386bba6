// Whether the plugin serves kubelet, in words.
#pragma once

#include "common/ops/ops_server.h"
#include "deviceplugin/kubelet/kubelet_status.h"

namespace fairlead::deviceplugin {

// Ready while kubelet reads the devices of every resource and `file_trouble`, of files that containers
// need, is empty; else says what is missing and why. Pure.
Health IsReady(const KubeletStatus& kubelet, const std::string& file_trouble = {});

}  // namespace fairlead::deviceplugin
