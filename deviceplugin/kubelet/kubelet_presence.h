// Whether kubelet is there.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "deviceplugin/kubelet/registration.h"

namespace fairlead::deviceplugin {

// Tells a kubelet from the socket that an ended one leaves on disk. Used by one thread; never
// waits.
class KubeletPresence {
 public:
  explicit KubeletPresence(std::string socket) : path_(std::move(socket)) {}

  // The socket that kubelet listens on, if it does. Dials one that it does not know yet, and, where
  // kubelet is in `doubt`, also one that it does.
  std::optional<SocketIdentity> Look(bool doubt);

 private:
  const std::string path_;
  std::optional<SocketIdentity> attended_;  // as last seen
};

}  // namespace fairlead::deviceplugin
