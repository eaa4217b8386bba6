#include "deviceplugin/publish/node_files.h"

#include <chrono>
#include <utility>
#include <vector>

#include "common/base/log.h"
#include "deviceplugin/allocation/device_nodes.h"
#include "deviceplugin/allocation/hca_grant.h"
#include "deviceplugin/cdi/cdi_spec.h"
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
    : cdi_file_(CdiPath(config.cdi_directory)), nfd_file_(config.nfd_feature_file) {}

void NodeFiles::Publish(const NodeState& state, const DevicepluginConfig& config) {
  const std::vector<CdiDevice> devices = config.cdi ? CdiDevices(state) : std::vector<CdiDevice>();
  // A specification must name a device.
  if (devices.empty()) {
    Note(cdi_, cdi_file_.Remove());
  } else {
    Keep(cdi_file_, cdi_, CdiSpec(kHcaCdiKind, devices));
  }
  if (nfd_file_.path().empty()) return;
  Keep(nfd_file_, nfd_, FeatureFile(state.watched, state.inventory.netns_mode));
}

void NodeFiles::Keep(KeptFile& file, Writing& writing, std::string text) {
  if (!file.Intact()) {
    if (const auto held_back = meddling_told_.Pass(std::chrono::steady_clock::now())) {
      LogWarning("a file for other programs was changed or removed by someone else; written anew",
                 {{"file", file.path()}, {"untold", *held_back}});
    }
  }
  Note(writing, file.Keep(std::move(text)));
}

void NodeFiles::Note(Writing& writing, const Status& status) {
  std::string error = status ? "" : status.error().message;
  if (!status) ++writing.failures;
  if (!status && error != writing.last_error) {
    LogWarning("a file for other programs cannot be written",
               {{"reason", error + "; make its directory writable, or set " + writing.key}});
  }
  const std::lock_guard lock(mutex_);
  writing.last_error = std::move(error);
}

std::string NodeFiles::Trouble() const {
  const std::lock_guard lock(mutex_);
  if (cdi_.last_error.empty()) return {};
  return "no container with an HCA can start, because its CDI name leads nowhere: " +
         cdi_.last_error + "; make the directory, or set " + cdi_.key;
}

}  // namespace fairlead::deviceplugin
