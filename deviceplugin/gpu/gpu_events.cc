#include "deviceplugin/gpu/gpu_events.h"

#include <algorithm>

namespace fairlead::deviceplugin {
namespace {

constexpr std::size_t kMostAtOnce = 1024;
constexpr std::uint64_t kWanted =
    nvml::kEventXid | nvml::kEventGpuUnavailable | nvml::kEventRecoveryAction;

}  // namespace

GpuEvents::GpuEvents(const NvmlLibrary& library) : library_(library) {
  const auto set = library_.CreateEventSet();
  if (set) {
    set_ = *set;
  } else {
    no_set_ = set.error().sentence;
  }
}

GpuEvents::~GpuEvents() {
  if (set_) library_.FreeEventSet(*set_);
}

std::vector<std::string> GpuEvents::problems() const {
  constexpr const char* kInstead = "; its health is only polled";
  if (!set_) return {"No XIDs are reported: " + no_set_ + "; the GPUs' health is only polled"};
  std::vector<std::string> sentences;
  for (const Deaf& deaf : deaf_) {
    sentences.push_back("No XIDs are reported of " + deaf.handle.uuid + ": " + deaf.why + kInstead);
  }
  return sentences;
}

NvmlResult<void> GpuEvents::Register(const GpuHandle& handle) {
  const auto supported = library_.SupportedEvents(handle.device);
  if (!supported) return tl::unexpected(supported.error());
  if (!(*supported & nvml::kEventXid)) {
    return tl::unexpected<NvmlFailure>({nvml::kNotSupported, "the GPU does not report them"});
  }
  return library_.RegisterEvents(handle.device, *supported & kWanted, *set_);
}

void GpuEvents::Add(std::span<const GpuHandle> handles) {
  if (!set_) return;
  for (const GpuHandle& handle : handles) {
    const auto same = [&](const GpuHandle& other) { return other.uuid == handle.uuid; };
    if (std::any_of(registered_.begin(), registered_.end(), same) ||
        std::any_of(deaf_.begin(), deaf_.end(),
                    [&](const Deaf& deaf) { return same(deaf.handle); })) {
      continue;
    }
    if (const auto done = Register(handle)) {
      registered_.push_back(handle);
    } else {
      deaf_.push_back({handle, done.error().sentence});
    }
  }
}

void GpuEvents::Take(const nvml::EventData& event, GpuEventBatch& batch) const {
  if (event.type != nvml::kEventXid) {
    batch.other = true;
    return;
  }
  const auto found =
      std::find_if(registered_.begin(), registered_.end(),
                   [&](const GpuHandle& handle) { return handle.device == event.device; });
  batch.xids.push_back({found == registered_.end() ? "" : found->uuid, event.data});
}

GpuEventBatch GpuEvents::Wait(Milliseconds timeout) {
  GpuEventBatch batch;
  for (std::size_t i = 0; i < kMostAtOnce; ++i) {
    const auto event = library_.Wait(*set_, i == 0 ? timeout : Milliseconds(0));
    if (event) {
      Take(*event, batch);
      continue;
    }
    if (event.error().code != nvml::kTimeout) batch.failure = event.error();
    break;
  }
  return batch;
}

}  // namespace fairlead::deviceplugin
