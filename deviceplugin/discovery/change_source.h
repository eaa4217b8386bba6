// Where the kernel tells that the node's devices have changed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/file_descriptor.h"
#include "common/watch/inotify.h"

namespace fairlead::deviceplugin {

// A socket with a datagram for each event, and which of them matter.
struct ChangeSource {
  std::string name;
  FileDescriptor fd;
  bool (*matters)(std::string_view datagram);
};

struct ChangeSources {
  std::vector<ChangeSource> open{};
  // Where any entry that comes or goes counts: /dev/infiniband below the host's root. It need not
  // exist, and then is not watched yet.
  std::string node_directory{};
  std::optional<InotifyDirectory> nodes{};
  std::vector<std::string> problems{};  // a sentence for each that this kernel does not give
};

// RDMA netlink (devices and their network devices come, go and are renamed; Linux 6.12 and later),
// uevents (devices of any kernel) and route netlink (links, addresses). They need no privilege, but
// uevents reach only the initial network namespace. What happens from now on waits in them.
ChangeSources OpenChangeSources(std::string node_directory);

// Whether a uevent concerns HCAs or what they hang on. Pure.
bool UeventMatters(std::string_view datagram);

}  // namespace fairlead::deviceplugin
