// Where the kernel tells that the node's devices have changed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/base/file_descriptor.h"

namespace fairlead::deviceplugin {

// A socket with a datagram for each event, and which of them matter.
struct ChangeSource {
  std::string name;
  FileDescriptor fd;
  bool (*matters)(std::string_view datagram);
};

struct ChangeSources {
  std::vector<ChangeSource> open;
  std::vector<std::string> problems;  // a sentence for each that this kernel does not give
};

// RDMA netlink (devices and their network devices come, go and are renamed; Linux 6.12 and later),
// uevents (devices of any kernel) and route netlink (links, addresses). They need no privilege, but
// uevents reach only the initial network namespace.
ChangeSources OpenChangeSources();

// Whether a uevent concerns HCAs or what they hang on. Pure.
bool UeventMatters(std::string_view datagram);

}  // namespace fairlead::deviceplugin
