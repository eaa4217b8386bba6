#include "deviceplugin/publish/kept_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "common/base/errno_text.h"
#include "common/base/file.h"
#include "common/base/quote.h"

namespace fairlead::deviceplugin {

std::optional<KeptFile::Mark> KeptFile::Look() const {
  struct stat status {};
  if (lstat(path_.c_str(), &status) != 0) return std::nullopt;
  return Mark{.device = status.st_dev,
              .inode = status.st_ino,
              .bytes = status.st_size,
              .changed_ns = status.st_mtim.tv_sec * 1'000'000'000LL + status.st_mtim.tv_nsec};
}

Status KeptFile::Keep(std::string text) {
  if (text == text_ && Intact()) return {};
  const Status status = ReplaceFile(path_, text);
  text_ = status ? std::move(text) : std::string();
  std::lock_guard lock(mutex_);
  written_ = status ? Look() : std::nullopt;
  return status;
}

Status KeptFile::Remove() {
  text_.clear();
  {
    std::lock_guard lock(mutex_);
    written_.reset();
  }
  if (unlink(path_.c_str()) != 0 && errno != ENOENT) {
    return Fail(SystemError(errno, "remove " + Quoted(path_, 256)));
  }
  return {};
}

bool KeptFile::Intact() const {
  std::lock_guard lock(mutex_);
  return !written_ || Look() == written_;
}

}  // namespace fairlead::deviceplugin
