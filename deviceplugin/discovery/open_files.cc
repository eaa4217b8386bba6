#include "deviceplugin/discovery/open_files.h"

#include <sys/stat.h>

#include <utility>

namespace fairlead::deviceplugin {
namespace {

// A plain file that was removed or replaced can still be read through its descriptor. In sysfs
// reading what was removed fails, whatever has its name by now.
bool IsStillThere(int fd) {
  struct stat status {};
  return fstat(fd, &status) == 0 && status.st_nlink > 0;
}

}  // namespace

FileResult<std::string> OpenFiles::Read(const std::string& path) const {
  const std::lock_guard lock(mutex_);
  if (const auto found = open_.find(path); found != open_.end()) {
    const int fd = found->second.fd.get();
    if (auto text = files_.ReadOpen(fd, path); text && IsStillThere(fd)) {
      found->second.read = true;
      return text;
    }
    // Another device may have its name by now.
    open_.erase(found);
  }
  FileResult<FileDescriptor> fd = files_.Open(path);
  if (!fd) return tl::unexpected<FileError>(fd.error());
  auto text = files_.ReadOpen(fd->get(), path);
  if (text) open_.emplace(path, OpenFile{.fd = *std::move(fd)});
  return text;
}

std::size_t OpenFiles::CloseUnread() {
  const std::lock_guard lock(mutex_);
  std::erase_if(open_, [](const auto& entry) { return !entry.second.read; });
  for (auto& [path, file] : open_) file.read = false;
  return open_.size();
}

FileResult<std::vector<std::string>> OpenFiles::List(const std::string& path) const {
  return files_.List(path);
}

FileResult<std::string> OpenFiles::Resolve(const std::string& path) const {
  return files_.Resolve(path);
}

FileResult<FileKind> OpenFiles::Kind(const std::string& path) const { return files_.Kind(path); }

}  // namespace fairlead::deviceplugin
