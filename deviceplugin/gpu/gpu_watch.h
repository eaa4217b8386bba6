// The GPUs of this node and their health, kept up to date.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "common/base/clock.h"
#include "common/base/snapshot.h"
#include "deviceplugin/discovery/host_files.h"
#include "deviceplugin/gpu/gpu_health.h"
#include "deviceplugin/gpu/nvml_library.h"

namespace fairlead::deviceplugin {

struct GpuWatchOptions {
  std::string library = kNvmlLibrary;
  GpuHealthSettings health = {};
  Nanoseconds poll = Seconds(5);
  // NVML is loaded anew this often while it cannot be had or a GPU is lost or gone: only so does it
  // see a driver that came later, or a GPU that came back.
  Nanoseconds reopen = Seconds(60);
  // How long Start waits for the first list. A driver that keeps no state initialises every GPU
  // first, which takes many seconds.
  Nanoseconds patience = Seconds(1);
};

struct GpuWatchCounts {
  std::uint64_t readings = 0;
  std::uint64_t xids = 0;            // reported, of whatever kind
  std::uint64_t unknown_gpu = 0;     // XIDs of those, of a GPU that is not known
  std::uint64_t event_failures = 0;  // waits that failed
  std::uint64_t loads = 0;           // of the library, in vain or not
};

// One thread owns NVML, so that a driver that hangs keeps nobody waiting: the list then stays as it
// was, and last_turn falls behind. All public calls are thread-safe and return at once.
class GpuWatch {
 public:
  // `on_change` is called on the watch's thread after the report has changed, the first one
  // included. `files` and `clock` outlive the watch. Without the library there are no GPUs and one
  // problem that says so.
  static std::unique_ptr<GpuWatch> Start(GpuWatchOptions options, const HostFiles& files,
                                         const Clock& clock, std::function<void()> on_change);
  // Waits for the thread, which takes half a second unless the driver hangs.
  ~GpuWatch();

  GpuReport Read() const { return *report_.Get(); }
  GpuWatchCounts counts() const;
  MonotonicTime last_turn() const;

 private:
  struct Session;

  GpuWatch(GpuWatchOptions options, const HostFiles& files, const Clock& clock,
           std::function<void()> on_change);
  void Run(const std::stop_token& stop);
  void Open();
  void Look();
  void Listen(const std::stop_token& stop);
  void Publish(GpuReport report);
  void Rest(const std::stop_token& stop, Nanoseconds time);

  const GpuWatchOptions options_;
  const HostFiles& files_;
  const Clock& clock_;
  const std::function<void()> on_change_;

  // Of the thread alone.
  GpuHealthBook book_;
  std::unique_ptr<Session> session_;
  std::string no_session_;  // why there is none
  bool troubled_ = true;    // only a new session may help
  MonotonicTime opened_at_{};
  std::optional<MonotonicTime> looked_at_;
  std::string event_problem_;

  Snapshot<GpuReport> report_;
  mutable std::mutex mutex_;
  std::condition_variable_any turned_;
  bool published_ = false;
  GpuWatchCounts counts_;
  MonotonicTime last_turn_{};

  std::jthread thread_;  // last: it uses all the others
};

// The GPUs at this moment, for a program that ends soon; takes as long as NVML takes.
GpuReport ReadGpusOnce(const std::string& library, const HostFiles& files);

}  // namespace fairlead::deviceplugin
