// Sockets by their path: which one lies there, clearing away our own that nobody serves, and ending
// what was accepted on one.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "deviceplugin/kubelet/registration.h"

namespace fairlead::deviceplugin {

// The socket at the path; nothing where there is none or something else.
std::optional<SocketIdentity> IdentifySocket(const std::string& path);

// Nobody listens on the socket at the path: the kernel refuses a connection. Any other answer
// proves nothing. Never waits.
bool NobodyListens(const std::string& path);

// Removes from the directory the sockets that an earlier run of this program left behind: named as
// ours and with nobody listening, which the kernel tells. One that a living run serves stays.
// Returns the names removed; a directory that cannot be read has none. Blocks no longer than the
// directory takes to read.
std::vector<std::string> RemoveStaleSockets(const std::string& directory);

// Shuts down each connection that this process has accepted on its socket at the path, whoever owns
// the descriptor: a write that the peer does not read would wait for it for ever. Returns how many.
std::size_t CutConnections(const std::string& path);

}  // namespace fairlead::deviceplugin
