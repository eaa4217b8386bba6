// The files of NCCL settings that containers mount.
#pragma once

#include <cstdint>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "common/base/clock.h"
#include "common/base/log_limit.h"
#include "common/base/result.h"
#include "deviceplugin/kubelet/pod_resources.h"

namespace fairlead::deviceplugin {

// The name of the file of the container that holds these ids of this resource, in whatever order:
// "RDMA_HCA.0000-3b-00-0-s0.conf", for several "RDMA_HCA.0000-3b-00-0-s0+7.0badcafe.conf". Pure.
std::string ConfFileName(std::string_view resource, std::span<const std::string> ids);

// What became of the settings of a container.
struct ConfCounts {
  std::uint64_t written = 0;
  std::uint64_t kept = 0;     // could not be written; those of its last start stay
  std::uint64_t without = 0;  // could not be written, and there are none
};

// Thread-safe. A file outlives the object: the container that mounts it may start again while the
// plugin does.
class ConfFiles {
 public:
  // Makes the directory when it is needed.
  explicit ConfFiles(std::string directory) : directory_(std::move(directory)) {}

  // Replaces the file at one stroke. Where that fails what was there stays. Counted, and an error
  // is logged once for as long as it stays the same.
  Status Write(const std::string& name, std::string_view text);

  // Removes the files of containers that hold nothing any more, which begin with kNcclConfBegin,
  // but none that was written within the last two minutes, of whose container kubelet may not have
  // told yet. Others' files stay. Does nothing where kubelet has not told for a minute.
  void Tidy(const PodHoldings& holdings, MonotonicTime now, WallTime wall_now);

  std::string PathOf(const std::string& name) const { return directory_ + "/" + name; }
  ConfCounts counts() const;

 private:
  Status WriteFile(const std::string& path, std::string_view text) const;

  const std::string directory_;
  mutable std::mutex mutex_;  // of all below; held while a file is written
  ConfCounts counts_;
  std::string last_error_;
};

}  // namespace fairlead::deviceplugin
