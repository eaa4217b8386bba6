#include "deviceplugin/gpu/nvml_library.h"

#include <dlfcn.h>

#include <array>
#include <cstring>
#include <initializer_list>

#include "common/base/quote.h"

namespace fairlead::deviceplugin {

struct NvmlLibrary::Functions {
  using Device = nvml::Device;
  using Set = nvml::EventSet;
  using Return = nvml::Return;

  Return (*init)() = nullptr;
  Return (*shutdown)() = nullptr;
  const char* (*error_string)(Return) = nullptr;
  Return (*count)(unsigned int*) = nullptr;
  Return (*handle)(unsigned int, Device*) = nullptr;
  Return (*uuid)(Device, char*, unsigned int) = nullptr;
  Return (*name)(Device, char*, unsigned int) = nullptr;
  Return (*minor)(Device, unsigned int*) = nullptr;
  Return (*pci)(Device, nvml::PciInfo*) = nullptr;
  Return (*mig)(Device, unsigned int*, unsigned int*) = nullptr;
  Return (*fields)(Device, int, nvml::FieldValue*) = nullptr;
  Return (*temperature)(Device, unsigned int, unsigned int*) = nullptr;
  Return (*event_set_create)(Set*) = nullptr;
  Return (*event_set_free)(Set) = nullptr;
  Return (*event_set_wait)(Set, nvml::EventData*, unsigned int) = nullptr;
  Return (*supported_events)(Device, unsigned long long*) = nullptr;
  Return (*register_events)(Device, unsigned long long, Set) = nullptr;
};

namespace {

// Takes the first of these names that the library has; the newest form comes first.
template <class Function>
void Find(void* library, std::initializer_list<const char*> names, Function& function,
          std::vector<std::string>& missing) {
  for (const char* name : names) {
    if (void* const symbol = dlsym(library, name)) {
      function = reinterpret_cast<Function>(symbol);
      return;
    }
  }
  missing.emplace_back(*names.begin());
}

// Up to the first NUL, should there be one.
template <std::size_t kSize>
std::string Text(const std::array<char, kSize>& buffer) {
  return {buffer.data(), strnlen(buffer.data(), kSize)};
}

std::string LastError() {
  const char* const text = dlerror();
  return text ? text : "unknown error";
}

}  // namespace

NvmlLibrary::NvmlLibrary() : functions_(std::make_unique<Functions>()) {}

NvmlLibrary::~NvmlLibrary() {
  if (initialised_ && functions_->shutdown) functions_->shutdown();
  if (library_) dlclose(library_);
}

Result<std::unique_ptr<NvmlLibrary>> NvmlLibrary::Open(const std::string& path) {
  std::unique_ptr<NvmlLibrary> opened(new NvmlLibrary());
  void* const library = opened->library_ = dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (!library) {
    return Fail(ErrorCode::kNotFound, "Cannot load the NVIDIA management library: " + LastError() +
                                          "; the driver's libraries must be visible to the plugin");
  }
  Functions& f = *opened->functions_;
  std::vector<std::string> needed;
  Find(library, {"nvmlInit_v2", "nvmlInit"}, f.init, needed);
  Find(library, {"nvmlDeviceGetCount_v2", "nvmlDeviceGetCount"}, f.count, needed);
  Find(library, {"nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetHandleByIndex"}, f.handle, needed);
  Find(library, {"nvmlDeviceGetUUID"}, f.uuid, needed);
  if (!needed.empty()) {
    return Fail(ErrorCode::kUnsupported,
                Quoted(path) + " is no NVIDIA management library: it has no " + needed.front());
  }
  std::vector<std::string>& missing = opened->missing_;
  Find(library, {"nvmlShutdown"}, f.shutdown, missing);
  Find(library, {"nvmlErrorString"}, f.error_string, missing);
  Find(library, {"nvmlDeviceGetName"}, f.name, missing);
  Find(library, {"nvmlDeviceGetMinorNumber"}, f.minor, missing);
  Find(library, {"nvmlDeviceGetPciInfo_v3", "nvmlDeviceGetPciInfo_v2", "nvmlDeviceGetPciInfo"},
       f.pci, missing);
  Find(library, {"nvmlDeviceGetMigMode"}, f.mig, missing);
  Find(library, {"nvmlDeviceGetFieldValues"}, f.fields, missing);
  Find(library, {"nvmlDeviceGetTemperature"}, f.temperature, missing);
  Find(library, {"nvmlEventSetCreate"}, f.event_set_create, missing);
  Find(library, {"nvmlEventSetFree"}, f.event_set_free, missing);
  Find(library, {"nvmlEventSetWait_v2", "nvmlEventSetWait"}, f.event_set_wait, missing);
  Find(library, {"nvmlDeviceGetSupportedEventTypes"}, f.supported_events, missing);
  Find(library, {"nvmlDeviceRegisterEvents"}, f.register_events, missing);
  if (const auto started = opened->Call("nvmlInit", f.init); !started) {
    return Fail(started.error().code == nvml::kNoPermission ? ErrorCode::kPermissionDenied
                                                            : ErrorCode::kUnavailable,
                "Cannot reach the NVIDIA driver: " + started.error().sentence);
  }
  opened->initialised_ = true;
  return opened;
}

tl::unexpected<NvmlFailure> NvmlLibrary::Failure(const char* call, nvml::Return code) const {
  const char* const said = functions_->error_string ? functions_->error_string(code) : nullptr;
  const std::string number = "NVML error " + std::to_string(code);
  return tl::unexpected<NvmlFailure>(
      {code, std::string(call) + ": " + (said ? said + (" (" + number + ")") : number)});
}

template <class Function, class... Arguments>
NvmlResult<void> NvmlLibrary::Call(const char* name, Function function,
                                   Arguments... arguments) const {
  if (!function) {
    return tl::unexpected<NvmlFailure>(
        {nvml::kFunctionNotFound, std::string(name) + " is not in this version of NVML"});
  }
  if (const nvml::Return code = function(arguments...); code != nvml::kSuccess) {
    return Failure(name, code);
  }
  return {};
}

NvmlResult<std::uint32_t> NvmlLibrary::Count() const {
  unsigned int count = 0;
  return Call("nvmlDeviceGetCount", functions_->count, &count).map([&] { return count; });
}

NvmlResult<nvml::Device> NvmlLibrary::Handle(std::uint32_t index) const {
  nvml::Device device = nullptr;
  return Call("nvmlDeviceGetHandleByIndex", functions_->handle, index, &device).map([&] {
    return device;
  });
}

NvmlResult<std::string> NvmlLibrary::Uuid(nvml::Device device) const {
  std::array<char, nvml::kUuidBytes> text{};
  return Call("nvmlDeviceGetUUID", functions_->uuid, device, text.data(), nvml::kUuidBytes)
      .map([&] { return Text(text); });
}

NvmlResult<std::string> NvmlLibrary::Product(nvml::Device device) const {
  std::array<char, nvml::kNameBytes> text{};
  return Call("nvmlDeviceGetName", functions_->name, device, text.data(), nvml::kNameBytes)
      .map([&] { return Text(text); });
}

NvmlResult<std::uint32_t> NvmlLibrary::Minor(nvml::Device device) const {
  unsigned int minor = 0;
  return Call("nvmlDeviceGetMinorNumber", functions_->minor, device, &minor).map([&] {
    return minor;
  });
}

NvmlResult<PciAddress> NvmlLibrary::Pci(nvml::Device device) const {
  nvml::PciInfo info{};
  const auto called = Call("nvmlDeviceGetPciInfo", functions_->pci, device, &info);
  if (!called) return tl::unexpected(called.error());
  // GPUs are function 0; the numbers have every digit of the domain in all forms of the structure.
  if (info.bus > 0xff || info.device > 0x1f) {
    return tl::unexpected<NvmlFailure>(
        {nvml::kUnknown, "nvmlDeviceGetPciInfo: bus " + std::to_string(info.bus) + ", device " +
                             std::to_string(info.device) + " is no PCI address"});
  }
  return PciAddress{info.domain, static_cast<std::uint8_t>(info.bus),
                    static_cast<std::uint8_t>(info.device), 0};
}

NvmlResult<bool> NvmlLibrary::MigEnabled(nvml::Device device) const {
  unsigned int current = 0;
  unsigned int pending = 0;
  return Call("nvmlDeviceGetMigMode", functions_->mig, device, &current, &pending).map([&] {
    return current != 0;
  });
}

NvmlResult<std::uint32_t> NvmlLibrary::RecoveryAction(nvml::Device device) const {
  nvml::FieldValue value{};
  value.field = nvml::kFieldRecoveryAction;
  const auto called = Call("nvmlDeviceGetFieldValues", functions_->fields, device, 1, &value);
  if (!called) return tl::unexpected(called.error());
  if (value.result != nvml::kSuccess) return Failure("recovery action", value.result);
  return value.value.as_uint;
}

NvmlResult<std::uint32_t> NvmlLibrary::Temperature(nvml::Device device) const {
  unsigned int degrees = 0;
  return Call("nvmlDeviceGetTemperature", functions_->temperature, device, nvml::kTemperatureOfGpu,
              &degrees)
      .map([&] { return degrees; });
}

NvmlResult<nvml::EventSet> NvmlLibrary::CreateEventSet() const {
  nvml::EventSet set = nullptr;
  return Call("nvmlEventSetCreate", functions_->event_set_create, &set).map([&] { return set; });
}

void NvmlLibrary::FreeEventSet(nvml::EventSet set) const {
  if (functions_->event_set_free) functions_->event_set_free(set);
}

NvmlResult<std::uint64_t> NvmlLibrary::SupportedEvents(nvml::Device device) const {
  unsigned long long types = 0;
  return Call("nvmlDeviceGetSupportedEventTypes", functions_->supported_events, device, &types)
      .map([&] { return std::uint64_t{types}; });
}

NvmlResult<void> NvmlLibrary::RegisterEvents(nvml::Device device, std::uint64_t types,
                                             nvml::EventSet set) const {
  return Call("nvmlDeviceRegisterEvents", functions_->register_events, device, types, set);
}

NvmlResult<nvml::EventData> NvmlLibrary::Wait(nvml::EventSet set, Milliseconds timeout) const {
  nvml::EventData event{};
  return Call("nvmlEventSetWait", functions_->event_set_wait, set, &event,
              static_cast<unsigned int>(timeout.count()))
      .map([&] { return event; });
}

}  // namespace fairlead::deviceplugin
