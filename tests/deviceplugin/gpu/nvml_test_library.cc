// Some of NVML, for machines without NVIDIA's driver: what nvml_script.h plays.
#include <chrono>
#include <cstdio>
#include <cstring>
#include <thread>

#include "tests/deviceplugin/gpu/nvml_script.h"

namespace {

using fairlead::deviceplugin::NvmlScript;
namespace nvml = fairlead::deviceplugin::nvml;

constexpr nvml::Return kUninitialised = 1;
constexpr nvml::Return kInvalidArgument = 2;
constexpr nvml::Return kDriverNotLoaded = 9;

NvmlScript& Script() {
  static NvmlScript script;
  return script;
}

std::uint32_t gpus_at_start = 0;
bool initialised = false;
[[maybe_unused]] std::size_t events_played = 0;

// A handle is the GPU's index plus one.
nvml::Device HandleOf(std::size_t index) {
  return reinterpret_cast<nvml::Device>(static_cast<std::uintptr_t>(index + 1));
}

// The play and the GPU that a call is about.
struct Stage {
  nvml::Return result = nvml::kSuccess;
  std::shared_ptr<const NvmlScript::ScriptedGpu> gpu;
};

Stage Enter(const char* call, nvml::Device device) {
  const auto index = reinterpret_cast<std::uintptr_t>(device) - 1;
  const auto play = Script().Get();
  if (!initialised) return {kUninitialised, nullptr};
  if (!play) return {kDriverNotLoaded, nullptr};
  const nvml::Return failure = play->Failure(call, std::to_string(index));
  if (failure != nvml::kSuccess) return {failure, nullptr};
  // A GPU that was there at the start and is there no more is lost, as with NVML.
  if (index >= play->gpus.size()) {
    return {index < gpus_at_start ? nvml::kGpuIsLost : kInvalidArgument, nullptr};
  }
  return {nvml::kSuccess, {play, &play->gpus[index]}};
}

nvml::Return CopyText(const std::string& text, char* to, unsigned int size) {
  std::snprintf(to, size, "%s", text.c_str());
  return nvml::kSuccess;
}

}  // namespace

extern "C" {

nvml::Return nvmlInit_v2() {
  const auto play = Script().Get();
  if (!play) return kDriverNotLoaded;
  const nvml::Return failure = play->Failure("nvmlInit", "");
  if (failure != nvml::kSuccess) return failure;
  gpus_at_start = static_cast<std::uint32_t>(play->gpus.size());
  initialised = true;
  return nvml::kSuccess;
}

nvml::Return nvmlDeviceGetCount_v2(unsigned int* count) {
  const auto play = Script().Get();
  if (!initialised) return kUninitialised;
  if (!play) return kDriverNotLoaded;
  *count = gpus_at_start;
  return play->Failure("nvmlDeviceGetCount", "");
}

nvml::Return nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvml::Device* device) {
  *device = HandleOf(index);
  return Enter("nvmlDeviceGetHandleByIndex", *device).result;
}

nvml::Return nvmlDeviceGetUUID(nvml::Device device, char* text, unsigned int size) {
  const Stage stage = Enter("nvmlDeviceGetUUID", device);
  return stage.gpu ? CopyText(stage.gpu->uuid, text, size) : stage.result;
}

#ifndef FAIRLEAD_OLD_NVML

nvml::Return nvmlShutdown() {
  initialised = false;
  return nvml::kSuccess;
}

const char* nvmlErrorString(nvml::Return code) {
  switch (code) {
    case nvml::kNotSupported:
      return "Not Supported";
    case nvml::kNoPermission:
      return "Insufficient Permissions";
    case kDriverNotLoaded:
      return "Driver Not Loaded";
    case nvml::kGpuIsLost:
      return "GPU is lost";
    default:
      return "Unknown Error";
  }
}

nvml::Return nvmlDeviceGetName(nvml::Device device, char* text, unsigned int size) {
  const Stage stage = Enter("nvmlDeviceGetName", device);
  return stage.gpu ? CopyText(stage.gpu->product, text, size) : stage.result;
}

nvml::Return nvmlDeviceGetMinorNumber(nvml::Device device, unsigned int* minor) {
  const Stage stage = Enter("nvmlDeviceGetMinorNumber", device);
  if (stage.gpu) *minor = stage.gpu->minor;
  return stage.result;
}

nvml::Return nvmlDeviceGetPciInfo_v3(nvml::Device device, nvml::PciInfo* info) {
  const Stage stage = Enter("nvmlDeviceGetPciInfo", device);
  if (!stage.gpu) return stage.result;
  if (std::sscanf(stage.gpu->pci.c_str(), "%x:%x:%x", &info->domain, &info->bus, &info->device) !=
      3) {
    return nvml::kUnknown;
  }
  std::snprintf(info->bus_id, sizeof info->bus_id, "%08X:%02X:%02X.0", info->domain, info->bus,
                info->device);
  return nvml::kSuccess;
}

nvml::Return nvmlDeviceGetMigMode(nvml::Device device, unsigned int* current,
                                  unsigned int* pending) {
  const Stage stage = Enter("nvmlDeviceGetMigMode", device);
  if (stage.gpu) *current = *pending = stage.gpu->mig;
  return stage.result;
}

nvml::Return nvmlDeviceGetFieldValues(nvml::Device device, int count, nvml::FieldValue* values) {
  const Stage stage = Enter("nvmlDeviceGetFieldValues", device);
  if (!stage.gpu) return stage.result;
  for (int i = 0; i < count; ++i) {
    const bool known = values[i].field == nvml::kFieldRecoveryAction;
    values[i].result = known ? nvml::kSuccess : nvml::kNotSupported;
    values[i].value.as_uint = stage.gpu->recovery;
  }
  return nvml::kSuccess;
}

nvml::Return nvmlDeviceGetTemperature(nvml::Device device, unsigned int, unsigned int* degrees) {
  *degrees = 40;
  return Enter("nvmlDeviceGetTemperature", device).result;
}

nvml::Return nvmlEventSetCreate(nvml::EventSet* set) {
  const auto play = Script().Get();
  if (!play) return kDriverNotLoaded;
  *set = &events_played;
  events_played = play->events.size();
  return play->Failure("nvmlEventSetCreate", "");
}

nvml::Return nvmlEventSetFree(nvml::EventSet) { return nvml::kSuccess; }

nvml::Return nvmlDeviceGetSupportedEventTypes(nvml::Device device, unsigned long long* types) {
  const Stage stage = Enter("nvmlDeviceGetSupportedEventTypes", device);
  if (stage.gpu) *types = stage.gpu->events;
  return stage.result;
}

nvml::Return nvmlDeviceRegisterEvents(nvml::Device device, unsigned long long, nvml::EventSet) {
  return Enter("nvmlDeviceRegisterEvents", device).result;
}

nvml::Return nvmlEventSetWait_v2(nvml::EventSet, nvml::EventData* event, unsigned int timeout_ms) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(timeout_ms);
  while (true) {
    const auto play = Script().Get();
    if (!play) return nvml::kUnknown;
    const nvml::Return failure = play->Failure("nvmlEventSetWait", "");
    if (failure != nvml::kSuccess) return failure;
    if (events_played < play->events.size()) {
      const NvmlScript::ScriptedEvent& next = play->events[events_played++];
      *event = {HandleOf(next.gpu), next.type, next.data, 0, 0};
      return nvml::kSuccess;
    }
    if (std::chrono::steady_clock::now() >= until) return nvml::kTimeout;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

#endif

}  // extern "C"
