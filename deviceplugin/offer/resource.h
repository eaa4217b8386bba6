// What kubelet is offered under one resource name, and what a container that asks for it gets.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/base/result.h"
#include "deviceplugin/profile/nccl_job.h"

namespace fairlead::deviceplugin {

struct OfferedDevice {
  std::string id;  // DNS-label form, at most 63 characters, stable over restarts
  bool healthy = true;
  std::vector<std::int64_t> numa_nodes;  // empty: not known

  bool operator==(const OfferedDevice&) const = default;
};

struct DeviceNode {
  std::string container_path;
  std::string host_path;
  std::string permissions = "rw";

  bool operator==(const DeviceNode&) const = default;
};

struct BindMount {
  std::string container_path;
  std::string host_path;
  bool read_only = true;

  bool operator==(const BindMount&) const = default;
};

// What one container gets.
struct Grant {
  std::map<std::string, std::string> env;
  std::vector<DeviceNode> nodes;  // sorted by container path
  std::vector<BindMount> mounts;
  std::vector<std::string> cdi_devices;  // "fairlead.dev/hca=0000-3b-00-0"
  std::vector<std::string> warnings;     // for the log: what could not be set right, and the remedy
  // Where NCCL's variables may move from `env` into a file that is written when a container starts.
  std::optional<NcclJob> nccl;

  bool operator==(const Grant&) const = default;
};

// kubelet's question which of `available` it should choose: `size` of them, `must_include` among
// them.
struct Preference {
  std::vector<std::string> available;
  std::vector<std::string> must_include;
  std::size_t size = 0;
};

// One resource at one moment: immutable, made anew when the node changes, so its answers need no
// lock and no I/O.
class Resource {
 public:
  virtual ~Resource() = default;
  virtual const std::string& name() const = 0;  // "rdma/hca"
  // Sorted by id.
  virtual const std::vector<OfferedDevice>& devices() const = 0;
  // The same answer for the same set of ids, in whatever order or number they come. kNotFound names
  // an id that was never offered; an unhealthy device is granted, since kubelet asks again for what
  // a container already holds.
  virtual Result<Grant> Allocate(std::span<const std::string> ids) const = 0;
  // At most `size` ids, the best choice first.
  virtual std::vector<std::string> Prefer(const Preference& question) const = 0;
  // Whether kubelet must call before each start of a container: grants have `nccl` then.
  virtual bool wants_pre_start() const { return false; }
};

// Sorted by name, one per name.
using Offer = std::vector<std::shared_ptr<const Resource>>;

}  // namespace fairlead::deviceplugin
