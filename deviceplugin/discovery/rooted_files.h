// The files of the host whose root lies at some directory.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "common/base/file_descriptor.h"
#include "deviceplugin/discovery/host_files.h"

namespace fairlead::deviceplugin {

// Reads below `root`: "" or "/" on the host itself, "/host" where its root is mounted there. An
// absolute symbolic link is taken as the system takes it; sysfs has none.
class RootedFiles final : public HostFiles {
 public:
  explicit RootedFiles(std::string root);

  FileResult<std::string> Read(const std::string& path) const override;
  std::vector<FileResult<std::string>> ReadEach(
      const std::string& directory, const std::vector<std::string>& names) const override;
  FileResult<std::vector<std::string>> List(const std::string& path) const override;
  FileResult<std::string> Resolve(const std::string& path) const override;
  FileResult<FileKind> Kind(const std::string& path) const override;

  // A regular file opened for reading; fails as Read does.
  FileResult<FileDescriptor> Open(const std::string& path) const;
  // The whole content, from its beginning, of a file that Open gave for `path`.
  FileResult<std::string> ReadOpen(int fd, const std::string& path) const;

  // How often anything could not be had because this process or the system lacked descriptors or
  // memory, which tells nothing of the host.
  std::uint64_t starved() const { return starved_.load(std::memory_order_relaxed); }

 private:
  tl::unexpected<FileError> Failed(int error_number, const std::string& path) const;
  FileResult<FileDescriptor> Checked(FileDescriptor fd, const std::string& path) const;
  FileResult<std::string> ReadAll(FileDescriptor fd, const std::string& path) const;

  std::string root_;  // without a slash at its end
  mutable std::atomic<std::uint64_t> starved_ = 0;
};

}  // namespace fairlead::deviceplugin
