#include "common/net/memory_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "common/base/errno_text.h"

namespace fairlead {
namespace {

constexpr std::string_view kWhat = "keep bytes in a file in memory";
constexpr unsigned kNeverExecuted = 8;  // MFD_NOEXEC_SEAL, which not all headers have

// A kernel can demand the flag, and one before 6.3 does not know it.
int Make() {
  const int fd = memfd_create("fairlead", MFD_CLOEXEC | kNeverExecuted);
  return fd >= 0 || errno != EINVAL ? fd : memfd_create("fairlead", MFD_CLOEXEC);
}

Status WriteAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = write(fd, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return Fail(SystemError(errno, kWhat));
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  return {};
}

}  // namespace

Result<MemoryFile> MemoryFile::Create(std::string_view bytes) {
  MemoryFile file;
  if (const Status put = file.Replace(bytes); !put) return Fail(put.error());
  return file;
}

Status MemoryFile::Replace(std::string_view bytes) {
  FileDescriptor fresh(Make());
  if (!fresh) return Fail(SystemError(errno, kWhat));
  if (const Status put = WriteAll(fresh.get(), bytes); !put) return put;
  const timespec changed{.tv_sec = changes_ + 1, .tv_nsec = 0};
  const timespec times[] = {changed, changed};
  if (fchmod(fresh.get(), S_IRUSR) != 0 || futimens(fresh.get(), times) != 0) {
    return Fail(SystemError(errno, kWhat));
  }
  if (!fd_) {
    fd_ = std::move(fresh);
  } else if (dup3(fresh.get(), fd_.get(), O_CLOEXEC) < 0) {
    return Fail(SystemError(errno, kWhat));
  }
  ++changes_;
  return {};
}

std::string MemoryFile::path() const { return "/proc/self/fd/" + std::to_string(fd_.get()); }

}  // namespace fairlead
