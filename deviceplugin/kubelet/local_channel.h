// Dialling kubelet's sockets.
#pragma once

#include <memory>
#include <string>

namespace grpc {
class Channel;
}

namespace fairlead::deviceplugin {

// A channel to the socket that shares nothing with other channels, so that it dials at once
// whatever became of them. Dials at the first call.
std::shared_ptr<grpc::Channel> LocalChannel(const std::string& socket_path);

}  // namespace fairlead::deviceplugin
