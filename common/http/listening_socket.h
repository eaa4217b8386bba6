// A TCP socket that listens.
#pragma once

#include <cstdint>

#include "common/base/file_descriptor.h"
#include "common/base/result.h"
#include "common/config/config.h"

namespace fairlead {

struct ListeningSocket {
  FileDescriptor fd;       // non-blocking, close-on-exec
  std::uint16_t port = 0;  // as bound, also where port 0 was asked for
};

// kUnavailable where the address is taken or not of this host, kInvalidArgument where the host is
// not an address or known name.
Result<ListeningSocket> ListenTcp(const ListenAddress& address);

}  // namespace fairlead
