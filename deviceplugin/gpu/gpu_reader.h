// The GPUs of this node, one by one, as NVML and sysfs tell them.
#pragma once

#include <string>
#include <vector>

#include "deviceplugin/discovery/host_files.h"
#include "deviceplugin/gpu/gpu_health.h"
#include "deviceplugin/gpu/nvml_library.h"

namespace fairlead::deviceplugin {

struct GpuHandle {
  nvml::Device device = nullptr;
  std::string uuid;
};

struct GpuListing {
  std::vector<GpuReading> readings;   // by index; also of those that could not be read whole
  std::vector<GpuHandle> handles;     // of those whose UUID could be read
  std::vector<std::string> problems;  // what is not known of some GPU or of all
};

class GpuReader {
 public:
  // Both outlive the reader.
  GpuReader(const NvmlLibrary& library, const HostFiles& files)
      : library_(library), files_(files) {}

  // Fails only where not even the number of GPUs can be had. Asks each GPU for something that NVML
  // does not remember, so that one that is lost shows.
  NvmlResult<GpuListing> Read() const;

 private:
  void ReadOne(std::uint32_t index, GpuListing& listing) const;
  void ReadPlace(nvml::Device device, Gpu& gpu, std::vector<std::string>& problems) const;

  const NvmlLibrary& library_;
  const HostFiles& files_;
};

}  // namespace fairlead::deviceplugin
