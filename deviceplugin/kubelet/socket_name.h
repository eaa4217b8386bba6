// Names of the sockets that kubelet finds us by. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "common/base/clock.h"
#include "common/base/result.h"

namespace fairlead::deviceplugin {

// Tells one start of this program from every other on the node. In a container the process id alone
// does not: it is the same each time.
struct RunId {
  std::int64_t process_id = 0;
  WallTime start{};
};

// "fairlead-rdma_hca-1-19a3f0c2b11-4.sock": `generation` makes it unique within the run, so no path
// is ever bound twice. kubelet refuses a path that it still holds a stream on, and gRPC unlinks its
// path at shutdown whoever has bound it since. A long resource name is cut and told apart by a
// hash.
std::string SocketName(std::string_view resource, const RunId& run, std::uint64_t generation);

// Whether SocketName could have made the file name, in whatever run.
bool IsOurSocketName(std::string_view file_name);

// kInvalidArgument where the kernel could not bind a socket of every resource in the directory,
// however long the name and however often it is made anew: a path has at most 107 bytes.
Status CheckSocketDirectory(std::string_view directory, const RunId& run);

// "unix:/run/x.sock", what gRPC calls the path; bytes that mean something in a URI are escaped.
std::string UnixAddress(std::string_view path);

}  // namespace fairlead::deviceplugin
