#include "deviceplugin/node/descriptor_limit.h"

#include <sys/resource.h>

#include <cerrno>
#include <string>

#include "common/base/errno_text.h"
#include "deviceplugin/discovery/open_files.h"

namespace fairlead::deviceplugin {

std::size_t DescriptorsNeeded(std::size_t resources) {
  return 64 + OpenFiles::kMostOpen + 8 * resources;
}

Status SecureDescriptors(std::size_t needed) {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
    return Fail(SystemError(errno, "read the limit on open files"));
  }
  limit.rlim_cur = limit.rlim_max;
  // Where it cannot be raised the present one may still do.
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0) getrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_cur >= needed) return {};
  return Fail(ErrorCode::kUnavailable,
              "at most " + std::to_string(limit.rlim_cur) + " files may be open, and " +
                  std::to_string(needed) +
                  " are needed; raise the limit (ulimit -n, LimitNOFILE of the container runtime)");
}

}  // namespace fairlead::deviceplugin
