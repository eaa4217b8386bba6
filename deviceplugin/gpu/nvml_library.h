// NVIDIA's management library, found when the program runs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "deviceplugin/gpu/nvml_abi.h"
#include "deviceplugin/inventory/pci.h"

namespace fairlead::deviceplugin {

// The name under which a driver installs it.
inline constexpr const char* kNvmlLibrary = "libnvidia-ml.so.1";

// Why a call gave nothing: NVML's number, which says how bad it is, and a sentence.
struct NvmlFailure {
  nvml::Return code = nvml::kUnknown;
  std::string sentence;  // "nvmlDeviceGetUUID: GPU is lost (NVML error 15)"
};

template <class T>
using NvmlResult = tl::expected<T, NvmlFailure>;

// NVML, loaded and initialised; shut down and unloaded at the end. A call that this version does
// not have fails with kFunctionNotFound. Handles and event sets live no longer than the library.
// Thread-safe, as NVML is. NVML sees the GPUs that are there when it is initialised, and never more
// than one initialisation of a process: a second library beside the first sees no newer ones.
class NvmlLibrary {
 public:
  // kNotFound where there is no such library, kUnsupported where it is not NVML, kUnavailable where
  // it cannot reach the driver.
  static Result<std::unique_ptr<NvmlLibrary>> Open(const std::string& path);
  ~NvmlLibrary();
  NvmlLibrary(const NvmlLibrary&) = delete;
  NvmlLibrary& operator=(const NvmlLibrary&) = delete;

  // What this version does not have of what is used here.
  const std::vector<std::string>& missing() const { return missing_; }

  NvmlResult<std::uint32_t> Count() const;
  NvmlResult<nvml::Device> Handle(std::uint32_t index) const;
  NvmlResult<std::string> Uuid(nvml::Device device) const;
  NvmlResult<std::string> Product(nvml::Device device) const;
  NvmlResult<std::uint32_t> Minor(nvml::Device device) const;
  NvmlResult<PciAddress> Pci(nvml::Device device) const;
  NvmlResult<bool> MigEnabled(nvml::Device device) const;
  NvmlResult<std::uint32_t> RecoveryAction(nvml::Device device) const;
  // Asks the GPU for something that NVML does not remember: its temperature in degrees Celsius.
  NvmlResult<std::uint32_t> Temperature(nvml::Device device) const;

  NvmlResult<nvml::EventSet> CreateEventSet() const;
  void FreeEventSet(nvml::EventSet set) const;
  NvmlResult<std::uint64_t> SupportedEvents(nvml::Device device) const;
  NvmlResult<void> RegisterEvents(nvml::Device device, std::uint64_t types,
                                  nvml::EventSet set) const;
  // The next event; fails with kTimeout where there is none in time.
  NvmlResult<nvml::EventData> Wait(nvml::EventSet set, Milliseconds timeout) const;

 private:
  struct Functions;
  NvmlLibrary();
  tl::unexpected<NvmlFailure> Failure(const char* call, nvml::Return code) const;
  // Calls the function, if there is one, and gives its return value to whoever asks.
  template <class Function, class... Arguments>
  NvmlResult<void> Call(const char* name, Function function, Arguments... arguments) const;

  void* library_ = nullptr;
  bool initialised_ = false;
  std::unique_ptr<Functions> functions_;
  std::vector<std::string> missing_;
};

}  // namespace fairlead::deviceplugin
