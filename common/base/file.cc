#include "common/base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "common/base/errno_text.h"
#include "common/base/file_descriptor.h"
#include "common/base/quote.h"

namespace fairlead {
namespace {

// A rename would put a file in the place of whatever lies there, of /dev/null too.
Status MayBeReplaced(const std::string& path, bool links) {
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0) return {};  // nothing is there, or writing will say more
  if (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)) return {};  // no rename onto a directory
  if (links && S_ISLNK(status.st_mode)) return {};
  return Fail(ErrorCode::kInvalidArgument,
              "write " + Quoted(path, 256) + ": " +
                  (S_ISLNK(status.st_mode) ? "is a link" : "is no regular file") +
                  "; name a file of its own");
}

}  // namespace

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

Status ReplaceFile(const std::string& path, std::string_view bytes) {
  if (Status may = MayBeReplaced(path, true); !may) return may;
  const std::string shown = "write " + Quoted(path, 256);
  const std::size_t slash = path.rfind('/');
  const std::size_t name = slash == std::string::npos ? 0 : slash + 1;
  const std::string beside = path.substr(0, name) + "." + path.substr(name) + ".new";
  // What a run that was killed has left there, or somebody's link or pipe, is not written to.
  unlink(beside.c_str());
  {
    const FileDescriptor fd(
        open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644));
    if (!fd) return Fail(SystemError(errno, shown));
    while (!bytes.empty()) {
      const ssize_t put = write(fd.get(), bytes.data(), bytes.size());
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) {
        const int why = errno;
        unlink(beside.c_str());
        return Fail(SystemError(why, shown));
      }
      bytes.remove_prefix(static_cast<std::size_t>(put));
    }
  }
  if (rename(beside.c_str(), path.c_str()) != 0) {
    const int why = errno;
    unlink(beside.c_str());
    return Fail(SystemError(why, shown));
  }
  return {};
}

Status ReplaceNamedFile(const std::string& path, std::string_view bytes) {
  const Status may = MayBeReplaced(path, false);
  return may ? ReplaceFile(path, bytes) : may;
}

}  // namespace fairlead
