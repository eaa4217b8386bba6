#include "deviceplugin/publish/node_files.h"

#include <utility>
#include <vector>

#include "common/base/file.h"
#include "common/base/log.h"
#include "deviceplugin/allocation/device_nodes.h"
#include "deviceplugin/nfd/feature_file.h"

namespace fairlead::deviceplugin {
namespace {

std::vector<CdiDevice> CdiDevices(const NodeState& state) {
  std::vector<CdiDevice> devices;
  for (const WatchedHca& watched : state.watched) {
    if (!watched.present || watched.hca.uverbs.empty()) continue;
    devices.push_back({.name = watched.id, .nodes = NodesOf(watched.hca, state.inventory.rdma_cm)});
  }
  return devices;
}

}  // namespace

NodeFiles::NodeFiles(const DevicepluginConfig& config)
    : cdi_(config.cdi_directory), nfd_path_(config.nfd_feature_file) {}

void NodeFiles::Publish(const NodeState& state, const DevicepluginConfig& config) {
  Note(cdi_error_, config.cdi ? cdi_.Publish(CdiDevices(state)) : cdi_.Remove());
  if (nfd_path_.empty()) return;
  std::string text = FeatureFile(state.watched, state.inventory.netns_mode);
  if (text == nfd_text_) return;
  const Status status = ReplaceFile(nfd_path_, text);
  Note(nfd_error_, status);
  if (status) nfd_text_ = std::move(text);
}

void NodeFiles::Note(std::string& last, const Status& status) {
  std::string error = status ? "" : status.error().message;
  if (!error.empty() && error != last) {
    LogWarning("a file for other programs cannot be written", {{"reason", error}});
  }
  last = std::move(error);
}

}  // namespace fairlead::deviceplugin
