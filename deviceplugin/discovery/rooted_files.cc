#include "deviceplugin/discovery/rooted_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <utility>

#include "common/base/file_descriptor.h"

namespace fairlead::deviceplugin {
namespace {

// No attribute in sysfs is longer than a page; what is larger is not one.
constexpr std::size_t kMostBytes = 65536;

struct CloseDirectory {
  void operator()(DIR* directory) const { closedir(directory); }
};

struct FreeText {
  void operator()(char* text) const { std::free(text); }
};

constexpr int kReadOnly = O_RDONLY | O_CLOEXEC | O_NONBLOCK;

}  // namespace

RootedFiles::RootedFiles(std::string root) : root_(std::move(root)) {
  // Resolve compares with this, so it must not itself lead through links.
  const std::unique_ptr<char, FreeText> real(realpath(root_.c_str(), nullptr));
  if (real) root_ = real.get();
  while (root_.ends_with('/')) root_.pop_back();
}

tl::unexpected<FileError> RootedFiles::Failed(int error_number, const std::string& path) const {
  if (error_number == EMFILE || error_number == ENFILE || error_number == ENOMEM) ++starved_;
  return tl::unexpected<FileError>(FileError{error_number, path});
}

FileResult<FileDescriptor> RootedFiles::Checked(FileDescriptor fd, const std::string& path) const {
  if (!fd) return Failed(errno, path);
  struct stat status {};
  if (fstat(fd.get(), &status) != 0) return Failed(errno, path);
  if (!S_ISREG(status.st_mode)) return Failed(S_ISDIR(status.st_mode) ? EISDIR : ENXIO, path);
  return fd;
}

FileResult<std::string> RootedFiles::ReadOpen(int fd, const std::string& path) const {
  std::string out;
  std::array<char, 4096> buffer;
  while (true) {
    const ssize_t got = pread(fd, buffer.data(), buffer.size(), static_cast<off_t>(out.size()));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Failed(errno, path);
    out.append(buffer.data(), static_cast<std::size_t>(got));
    if (out.size() > kMostBytes) return Failed(EFBIG, path);
    // A regular file that gives less than was asked for has no more. Thousands are read at once, so
    // asking it again would cost.
    if (static_cast<std::size_t>(got) < buffer.size()) return out;
  }
}

FileResult<std::string> RootedFiles::ReadAll(FileDescriptor opened, const std::string& path) const {
  return Checked(std::move(opened), path).and_then([&](const FileDescriptor& fd) {
    return ReadOpen(fd.get(), path);
  });
}

FileResult<FileDescriptor> RootedFiles::Open(const std::string& path) const {
  return Checked(FileDescriptor(open((root_ + path).c_str(), kReadOnly)), path);
}

FileResult<std::string> RootedFiles::Read(const std::string& path) const {
  return ReadAll(FileDescriptor(open((root_ + path).c_str(), kReadOnly)), path);
}

std::vector<FileResult<std::string>> RootedFiles::ReadEach(
    const std::string& directory, const std::vector<std::string>& names) const {
  const FileDescriptor at(open((root_ + directory).c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  const int why_not = errno;
  std::vector<FileResult<std::string>> texts;
  texts.reserve(names.size());
  for (const std::string& name : names) {
    const std::string path = directory + '/' + name;
    texts.push_back(at ? ReadAll(FileDescriptor(openat(at.get(), name.c_str(), kReadOnly)), path)
                       : FileResult<std::string>(Failed(why_not, path)));
  }
  return texts;
}

FileResult<std::vector<std::string>> RootedFiles::List(const std::string& path) const {
  const std::unique_ptr<DIR, CloseDirectory> directory(opendir((root_ + path).c_str()));
  if (!directory) return Failed(errno, path);
  std::vector<std::string> names;
  while (true) {
    errno = 0;
    const dirent* const entry = readdir(directory.get());
    if (entry == nullptr) break;
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  if (errno != 0) return Failed(errno, path);
  std::sort(names.begin(), names.end());
  return names;
}

FileResult<std::string> RootedFiles::Resolve(const std::string& path) const {
  const std::unique_ptr<char, FreeText> real(realpath((root_ + path).c_str(), nullptr));
  if (!real) return Failed(errno, path);
  const std::string_view whole = real.get();
  // A link that leads out of the root names a file that is none of the host's.
  if (!whole.starts_with(root_) || !(root_.size() == whole.size() || whole[root_.size()] == '/')) {
    return Failed(EXDEV, path);
  }
  return std::string(whole.substr(root_.size()));
}

FileResult<FileKind> RootedFiles::Kind(const std::string& path) const {
  struct stat status {};
  if (stat((root_ + path).c_str(), &status) != 0) return Failed(errno, path);
  if (S_ISREG(status.st_mode)) return FileKind::kRegular;
  if (S_ISDIR(status.st_mode)) return FileKind::kDirectory;
  if (S_ISCHR(status.st_mode)) return FileKind::kCharacterDevice;
  return FileKind::kOther;
}

}  // namespace fairlead::deviceplugin
