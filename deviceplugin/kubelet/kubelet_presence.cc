#include "deviceplugin/kubelet/kubelet_presence.h"

#include "deviceplugin/kubelet/socket_file.h"

namespace fairlead::deviceplugin {

std::optional<SocketIdentity> KubeletPresence::Look(bool doubt) {
  const auto socket = IdentifySocket(path_);
  if (doubt || socket != attended_) {
    attended_ = socket && NobodyListens(path_) ? std::nullopt : socket;
  }
  return attended_;
}

}  // namespace fairlead::deviceplugin
