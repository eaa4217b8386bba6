// The files of the host whose root lies at some directory.
#pragma once

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

 private:
  std::string root_;  // without a slash at its end
};

}  // namespace fairlead::deviceplugin
