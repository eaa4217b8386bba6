// The script of the test library, as a test changes it.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "tests/deviceplugin/discovery/manifest_files.h"

namespace fairlead::deviceplugin {

inline constexpr const char* kTwoGpus =
    "gpu GPU-aaaa pci=0000:3b:00.0 minor=3 product=H200\n"
    "gpu GPU-bbbb pci=00010000:af:00.0 minor=4 product=H200\n";

// One at a time in a process; made before any thread.
class ScriptedNvml {
 public:
  explicit ScriptedNvml(const std::string& text) {
    setenv("FAIRLEAD_NVML_SCRIPT", file_.c_str(), 1);
    Set(text);
  }
  ~ScriptedNvml() { std::remove(file_.c_str()); }

  void Set(const std::string& text) {
    std::ofstream(file_ + ".new") << text;
    std::rename((file_ + ".new").c_str(), file_.c_str());
  }
  void Remove() { std::remove(file_.c_str()); }

 private:
  const std::string file_ = "/tmp/fairlead-nvml-" + std::to_string(getpid()) + ".txt";
};

inline ManifestFiles TwoGpuHost() {
  return ManifestFiles(
      "[/sys/devices/pci0000:3a/0000:3a:00.0/0000:3b:00.0]\n"
      "numa_node = 1\n"
      "[/sys/devices/pci10000:ae/10000:ae:00.0/10000:af:00.0]\n"
      "numa_node = -1\n"
      "[/sys/bus/pci/devices]\n"
      "0000:3b:00.0 -> ../../../devices/pci0000:3a/0000:3a:00.0/0000:3b:00.0\n"
      "10000:af:00.0 -> ../../../devices/pci10000:ae/10000:ae:00.0/10000:af:00.0\n");
}

}  // namespace fairlead::deviceplugin
