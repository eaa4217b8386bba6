#include "deviceplugin/gpu/gpu_reader.h"

#include <algorithm>
#include <cctype>

#include "common/base/quote.h"
#include "deviceplugin/discovery/pci_directory.h"

namespace fairlead::deviceplugin {
namespace {

// More than any machine has; a library that says otherwise is broken.
constexpr std::uint32_t kMostGpus = 256;

bool IsLost(nvml::Return code) { return code == nvml::kGpuIsLost || code == nvml::kResetRequired; }

// What an old library or a small GPU cannot tell is no failure.
bool IsUnsupported(nvml::Return code) {
  return code == nvml::kNotSupported || code == nvml::kFunctionNotFound;
}

void Blame(GpuReading& reading, const NvmlFailure& failure) {
  if (reading.answer == GpuAnswer::kLost) return;
  const bool first = reading.answer == GpuAnswer::kAnswers;
  reading.answer = IsLost(failure.code) ? GpuAnswer::kLost : GpuAnswer::kFails;
  if (first || IsLost(failure.code)) reading.fault = failure.sentence;
}

// UUIDs end in variables of containers and in device ids.
bool IsUuid(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(),
                                      [](unsigned char c) { return std::isalnum(c) || c == '-'; });
}

// People read it, on terminals too.
std::string Printable(std::string text) {
  const bool printable =
      std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7f; });
  return printable ? text : Quoted(text);
}

// The value, or nothing and, where it is a failure, the blame for it.
template <class T>
std::optional<T> Take(NvmlResult<T> result, GpuReading& reading) {
  if (result) return *std::move(result);
  if (!IsUnsupported(result.error().code)) Blame(reading, result.error());
  return std::nullopt;
}

}  // namespace

NvmlResult<GpuListing> GpuReader::Read() const {
  const auto count = library_.Count();
  if (!count) return tl::unexpected(count.error());
  GpuListing listing;
  if (*count > kMostGpus) {
    listing.problems.push_back("NVML tells of " + std::to_string(*count) +
                               " GPUs; only the first 256 are looked at");
  }
  if (!library_.missing().empty()) {
    std::string names;
    for (const std::string& name : library_.missing()) names += (names.empty() ? "" : ", ") + name;
    listing.problems.push_back("This NVML is too old for all that is asked of it; it has no " +
                               names);
  }
  for (std::uint32_t i = 0; i < std::min(*count, kMostGpus); ++i) ReadOne(i, listing);
  return listing;
}

void GpuReader::ReadOne(std::uint32_t index, GpuListing& listing) const {
  GpuReading& reading = listing.readings.emplace_back();
  Gpu& gpu = reading.gpu;
  gpu.index = index;
  gpu.minor = index;
  const auto handle = library_.Handle(index);
  if (!handle) {
    Blame(reading, handle.error());
    return;
  }
  if (auto uuid = library_.Uuid(*handle); !uuid) {
    Blame(reading, uuid.error());
  } else if (!IsUuid(*uuid)) {
    Blame(reading, {nvml::kUnknown, Quoted(*uuid) + " is not a UUID"});
  } else {
    gpu.uuid = *std::move(uuid);
    listing.handles.push_back({*handle, gpu.uuid});
  }
  gpu.product = Printable(Take(library_.Product(*handle), reading).value_or(""));
  ReadPlace(*handle, gpu, listing.problems);
  reading.mig = Take(library_.MigEnabled(*handle), reading).value_or(false);
  reading.recovery_action = Take(library_.RecoveryAction(*handle), reading);
  Take(library_.Temperature(*handle), reading);
}

// A GPU whose place is not known can be handed out all the same.
void GpuReader::ReadPlace(nvml::Device device, Gpu& gpu, std::vector<std::string>& problems) const {
  const auto note = [&](const NvmlFailure& failure, const char* consequence) {
    if (IsUnsupported(failure.code) || IsLost(failure.code)) return;
    problems.push_back("GPU " + std::to_string(gpu.index) + ": " + consequence + ": " +
                       failure.sentence);
  };
  if (const auto minor = library_.Minor(device)) {
    gpu.minor = *minor;
  } else {
    note(minor.error(), "its device node is taken to be the one of its index");
  }
  const auto address = library_.Pci(device);
  if (!address) {
    note(address.error(), "its place on the PCI bus is not known");
    return;
  }
  gpu.pci = *address;
  PciPlace place = FindPciPlace(files_, *address);
  gpu.pci_path = std::move(place.path);
  gpu.numa_node = place.numa_node;
}

}  // namespace fairlead::deviceplugin
