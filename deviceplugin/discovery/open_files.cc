#include "deviceplugin/discovery/open_files.h"

#include <sys/stat.h>

#include <cerrno>
#include <utility>

namespace fairlead::deviceplugin {
namespace {

// Half a minute of what a quick look takes every half second would be too long to be wrong.
constexpr int kMostReadings = 20;

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
    OpenFile& file = found->second;
    if (++file.readings <= kMostReadings) {
      auto text = files_.ReadOpen(file.fd.get(), path);
      if (text && IsStillThere(file.fd.get())) {
        file.read = true;
        return text;
      }
    }
    // Another device may have its name by now.
    open_.erase(found);
  }
  FileResult<FileDescriptor> fd = files_.Open(path);
  if (!fd && (fd.error().error_number == EMFILE || fd.error().error_number == ENFILE)) {
    open_.clear();
    return files_.Read(path);
  }
  if (!fd) return tl::unexpected<FileError>(fd.error());
  auto text = files_.ReadOpen(fd->get(), path);
  if (text && open_.size() < kMostOpen) open_.emplace(path, OpenFile{.fd = *std::move(fd)});
  return text;
}

void OpenFiles::CloseAll() {
  const std::lock_guard lock(mutex_);
  open_.clear();
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
