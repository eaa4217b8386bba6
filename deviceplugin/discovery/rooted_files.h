// The files of the host whose root lies at some directory.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

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

  // How often anything could not be had because this process or the system lacked descriptors or
  // memory, which tells nothing of the host.
  std::uint64_t starved() const { return starved_.load(std::memory_order_relaxed); }

 private:
  tl::unexpected<FileError> Failed(int error_number, const std::string& path) const;
  FileResult<std::string> ReadAll(int fd, const std::string& path) const;

  std::string root_;
  mutable std::atomic<std::uint64_t> starved_ = 0;  // without a slash at its end
};

}  // namespace fairlead::deviceplugin
