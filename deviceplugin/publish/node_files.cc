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
    : cdi_file_(config.cdi_directory), nfd_path_(config.nfd_feature_file) {}

void NodeFiles::Publish(const NodeState& state, const DevicepluginConfig& config) {
  Note(cdi_, config.cdi ? cdi_file_.Publish(CdiDevices(state)) : cdi_file_.Remove());
  if (nfd_path_.empty()) return;
  std::string text = FeatureFile(state.watched, state.inventory.netns_mode);
  if (text == nfd_text_) return;
  const Status status = ReplaceFile(nfd_path_, text);
  Note(nfd_, status);
  if (status) nfd_text_ = std::move(text);
}

void NodeFiles::Note(Writing& writing, const Status& status) {
  std::string error = status ? "" : status.error().message;
  if (!status) ++writing.failures;
  if (!status && error != writing.last_error) {
    LogWarning("a file for other programs cannot be written",
               {{"reason", error + "; make its directory writable, or set " + writing.key}});
  }
  writing.last_error = std::move(error);
}

}  // namespace fairlead::deviceplugin
