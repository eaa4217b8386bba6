#include "common/base/local_address.h"

#include <sys/socket.h>

#include <cstring>

#include "common/base/quote.h"

namespace fairlead {

Result<sockaddr_un> MakeLocalAddress(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  constexpr std::size_t kLongest = sizeof address.sun_path - 1;
  if (path.empty() || path.find('\0') != std::string::npos) {
    return Fail(ErrorCode::kInvalidArgument, Quoted(path) + " is no path of a socket");
  }
  if (path.size() > kLongest) {
    return Fail(ErrorCode::kInvalidArgument,
                "socket path " + Quoted(path) + " has " + std::to_string(path.size()) +
                    " bytes; the kernel takes at most " + std::to_string(kLongest));
  }
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  return address;
}

}  // namespace fairlead
