// A second reading of how NCCL 2.30 chooses a GID, kept close to its own steps and far from the
// code under test.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fairlead::deviceplugin {

// One index of a port's table as `ibv_devinfo -v` would show it.
struct MirrorGid {
  std::string address = "::";  // any IPv6 spelling
  int version = -1;            // -1: sysfs does not tell
};

// Settings as the environment spells them; empty: not set.
struct MirrorSettings {
  std::string family;   // "AF_INET6"
  std::string range;    // "10.0.0.0/8"
  std::string version;  // "1"
};

std::uint32_t MirrorOfNccl(const std::vector<MirrorGid>& table, const MirrorSettings& settings);

}  // namespace fairlead::deviceplugin
