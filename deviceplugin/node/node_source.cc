#include "deviceplugin/node/node_source.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "deviceplugin/discovery/port_states.h"
#include "deviceplugin/discovery/read_node.h"

namespace fairlead::deviceplugin {

bool WantsGpus(const GpuConfig& config) {
  return config.advertise || !config.pair_resource.empty();
}

void AddGpus(GpuReport report, NodeInventory& inventory) {
  inventory.gpus = std::move(report.gpus);
  for (std::string& problem : report.problems) inventory.problems.push_back(std::move(problem));
}

NodeSource::NodeSource(const std::string& root, const GpuConfig& gpus, const Clock& clock)
    : clock_(clock),
      files_(root),
      port_files_(files_),
      gpus_(WantsGpus(gpus) ? GpuWatch::Start({.library = gpus.nvml_library}, files_, clock, [] {})
                            : nullptr) {}

std::optional<NodeInventory> NodeSource::Read(const GidPolicy& policy) {
  port_files_.CloseAll();
  const std::uint64_t starved = files_.starved();
  NodeInventory inventory = ReadNode(files_, policy);
  if (files_.starved() != starved) return std::nullopt;
  if (gpus_) AddGpus(gpus_->Read(), inventory);
  return inventory;
}

bool NodeSource::LooksDifferent(const NodeState& state) {
  const auto differs = [this](const WatchedHca& watched) {
    return watched.present && PortStatesDiffer(port_files_, watched.hca);
  };
  const bool ports = std::any_of(state.watched.begin(), state.watched.end(), differs);
  port_files_.CloseUnread();
  return ports || (gpus_ && gpus_->Read().gpus != state.inventory.gpus);
}

MonotonicTime NodeSource::last_gpu_turn() const {
  return gpus_ ? gpus_->last_turn() : clock_.Now();
}

}  // namespace fairlead::deviceplugin
