// What the driver reports of GPUs as it happens.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "deviceplugin/gpu/gpu_reader.h"
#include "deviceplugin/gpu/nvml_library.h"

namespace fairlead::deviceplugin {

struct GpuXid {
  std::string uuid;  // empty where the driver does not say, or the GPU is not known
  std::uint64_t xid = 0;
};

struct GpuEventBatch {
  std::vector<GpuXid> xids;
  bool other = false;                  // something else that a new reading will show
  std::optional<NvmlFailure> failure;  // of the waiting itself
};

// Single-threaded; the library outlives it.
class GpuEvents {
 public:
  explicit GpuEvents(const NvmlLibrary& library);
  ~GpuEvents();
  GpuEvents(const GpuEvents&) = delete;
  GpuEvents& operator=(const GpuEvents&) = delete;

  // Listens to these GPUs too, as far as they are new.
  void Add(std::span<const GpuHandle> handles);

  // Whether there is any GPU to wait for.
  bool listening() const { return !registered_.empty(); }
  // Why some or all events will not come: an old library, a GPU that has none.
  std::vector<std::string> problems() const;

  // Waits for the first event, at most `timeout`, then takes what else is there, up to 1024.
  GpuEventBatch Wait(Milliseconds timeout);

 private:
  struct Deaf {
    GpuHandle handle;
    std::string why;
  };

  NvmlResult<void> Register(const GpuHandle& handle);
  void Take(const nvml::EventData& event, GpuEventBatch& batch) const;

  const NvmlLibrary& library_;
  std::optional<nvml::EventSet> set_;
  std::string no_set_;  // why there is none
  std::vector<GpuHandle> registered_;
  std::vector<Deaf> deaf_;  // tried in vain
};

}  // namespace fairlead::deviceplugin
