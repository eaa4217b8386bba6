// A host's root in a directory that exists as long as a test.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/common/support/temp_directory.h"

namespace fairlead::deviceplugin {

class HostDirectory {
 public:
  // `path` as on the host; the folders above it are made.
  void Write(const std::string& path, const std::string& content) const {
    const std::filesystem::path file(root_ + path);
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << content;
  }
  const std::string& root() const { return root_; }

 private:
  const TempDirectory temp_;
  const std::string root_ = temp_.path();
};

}  // namespace fairlead::deviceplugin
