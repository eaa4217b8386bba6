// What this node is read from: its files, its kernel and NVML.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "common/base/clock.h"
#include "common/config/deviceplugin_config.h"
#include "deviceplugin/discovery/open_files.h"
#include "deviceplugin/discovery/rooted_files.h"
#include "deviceplugin/gpu/gpu_watch.h"
#include "deviceplugin/node/node_state.h"

namespace fairlead::deviceplugin {

// Whether the configuration needs GPUs at all; where not, NVML is never loaded.
bool WantsGpus(const GpuConfig& config);

// The inventory with these GPUs and what is wrong with them.
void AddGpus(GpuReport report, NodeInventory& inventory);

// Thread-safe. `clock` outlives it.
class NodeSource {
 public:
  // `root` is where the host's /sys and /dev are: "" on the host itself.
  NodeSource(const std::string& root, const GpuConfig& gpus, const Clock& clock);

  // Nothing where descriptors or memory ran out meanwhile: half a node would look like one whose
  // devices have gone.
  std::optional<NodeInventory> Read(const GidPolicy& policy);

  // Whether a port's state or a GPU is another than in `state`. Cheap enough for every half second:
  // two small files a port, and what NVML said last.
  bool LooksDifferent(const NodeState& state);

  // When NVML last answered; now where it is not used.
  MonotonicTime last_gpu_turn() const;

 private:
  const Clock& clock_;
  const RootedFiles files_;
  OpenFiles port_files_;
  const std::unique_ptr<GpuWatch> gpus_;  // null: not wanted
};

}  // namespace fairlead::deviceplugin
