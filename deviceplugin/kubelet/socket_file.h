// Sockets as files: which one lies at a path, and clearing away our own that nobody serves.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "deviceplugin/kubelet/registration.h"

namespace fairlead::deviceplugin {

// The socket at the path; nothing where there is none or something else.
std::optional<SocketIdentity> IdentifySocket(const std::string& path);

// Removes from the directory the sockets that an earlier run of this program left behind: named as
// ours and with nobody listening, which the kernel tells. One that a living run serves stays.
// Returns the names removed; a directory that cannot be read has none. Blocks no longer than the
// directory takes to read.
std::vector<std::string> RemoveStaleSockets(const std::string& directory);

}  // namespace fairlead::deviceplugin
