// A host's RDMA files in a directory.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <string>
#include <utility>

#include "tests/common/support/temp_directory.h"

namespace fairlead::linkprobe {

class HostTree {
 public:
  std::string root() const { return directory_.path().string(); }

  void Write(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories((directory_.path() / path).parent_path());
    directory_.Write(path, text);
  }
  // `folder` of a port: "counters", "hw_counters".
  void Port(const std::string& device, const std::string& port, const std::string& folder,
            std::initializer_list<std::pair<const char*, std::string>> counters) const {
    const std::string path = "sys/class/infiniband/" + device + "/ports/" + port + "/";
    std::filesystem::create_directories(directory_.path() / path);
    for (const auto& [name, value] : counters) Write(path + folder + "/" + name, value + "\n");
  }
  void Netdev(const std::string& device, const std::string& port, const std::string& name) const {
    Write("sys/class/infiniband/" + device + "/ports/" + port + "/gid_attrs/ndevs/0", name + "\n");
  }
  void Statistics(const std::string& netdev,
                  std::initializer_list<std::pair<const char*, std::string>> counters) const {
    for (const auto& [name, value] : counters) {
      Write("sys/class/net/" + netdev + "/statistics/" + name, value + "\n");
    }
  }

 private:
  TempDirectory directory_;
};

}  // namespace fairlead::linkprobe
