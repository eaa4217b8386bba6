#include "common/base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "common/base/errno_text.h"
#include "common/base/file_descriptor.h"
#include "common/base/quote.h"

namespace fairlead {

Result<std::string> ReadFile(const std::string& path, std::size_t most) {
  const std::string shown = "read " + Quoted(path, 256);
  const FileDescriptor fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd) return Fail(SystemError(errno, shown));
  struct stat status {};
  if (fstat(fd.get(), &status) != 0) return Fail(SystemError(errno, shown));
  if (!S_ISREG(status.st_mode)) {
    return Fail(ErrorCode::kInvalidArgument, shown + ": is not a regular file");
  }
  std::string out;
  char buffer[16384];
  while (true) {
    const ssize_t got = read(fd.get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Fail(SystemError(errno, shown));
    if (got == 0) return out;
    out.append(buffer, static_cast<std::size_t>(got));
    if (out.size() > most) {
      return Fail(ErrorCode::kInvalidArgument,
                  shown + ": is longer than " + std::to_string(most) + " bytes");
    }
  }
}

}  // namespace fairlead
