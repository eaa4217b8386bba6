#include "common/watch/inotify.h"

#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "common/base/errno_text.h"
#include "common/base/quote.h"

namespace fairlead {
namespace {

// IN_MODIFY is left out: a file that is being written is read once it is closed. IN_ATTRIB, because
// a chmod may make a file readable.
constexpr std::uint32_t kEvents = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE |
                                  IN_DELETE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF |
                                  IN_ONLYDIR;

}  // namespace

Result<InotifyDirectory> InotifyDirectory::Open(std::string path) {
  const std::string shown = "watch directory " + Quoted(path, 256);
  FileDescriptor fd(inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  if (!fd) {
    Error error = SystemError(errno, shown);
    if (errno == EMFILE) error.message += "; raise fs.inotify.max_user_instances";
    return Fail(std::move(error));
  }
  InotifyDirectory directory(std::move(path), std::move(fd));
  errno = 0;
  if (!directory.FollowPath()) return Fail(SystemError(errno == 0 ? ENOENT : errno, shown));
  return directory;
}

bool InotifyDirectory::TakeEvents() {
  alignas(inotify_event) char buffer[4096];
  bool any = false;
  while (true) {
    const ssize_t got = read(fd_.get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return any;
    any = true;
    for (ssize_t at = 0; at < got;) {
      inotify_event event;
      std::memcpy(&event, buffer + at, sizeof event);
      // The directory is gone. Another one may get its inode number, so the number alone would not
      // tell them apart.
      if ((event.mask & IN_IGNORED) != 0 && event.wd == watch_) watch_ = -1;
      at += static_cast<ssize_t>(sizeof event + event.len);
    }
  }
}

bool InotifyDirectory::FollowPath() {
  struct stat status {};
  if (stat(path_.c_str(), &status) != 0) {
    watch_ = -1;
    return false;
  }
  if (watch_ >= 0 && status.st_dev == device_ && status.st_ino == inode_) return false;
  // The old directory's watch may be gone already, which is as well.
  if (watch_ >= 0) inotify_rm_watch(fd_.get(), watch_);
  watch_ = inotify_add_watch(fd_.get(), path_.c_str(), kEvents);
  device_ = status.st_dev;
  inode_ = status.st_ino;
  return watch_ >= 0;
}

}  // namespace fairlead
