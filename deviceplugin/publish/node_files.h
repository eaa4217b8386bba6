// The files on the node that other programs read: CDI specification and NFD features.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "common/config/deviceplugin_config.h"
#include "deviceplugin/cdi/cdi_file.h"
#include "deviceplugin/node/node_state.h"

namespace fairlead::deviceplugin {

// Times that each could not be written or removed.
struct NodeFileFailures {
  std::uint64_t cdi = 0;
  std::uint64_t nfd = 0;
};

// Keeps them up to date. A file that cannot be written is logged once and tried again at the next
// reading. Used by one thread, failures() by any.
class NodeFiles {
 public:
  explicit NodeFiles(const DevicepluginConfig& config);

  // `config.cdi` may change while running: the specification is written or removed.
  void Publish(const NodeState& state, const DevicepluginConfig& config);

  NodeFileFailures failures() const { return {cdi_.failures, nfd_.failures}; }

 private:
  // How it stands with one file.
  struct Writing {
    const char* key;  // of the configuration
    std::string last_error = {};
    std::atomic<std::uint64_t> failures = 0;
  };
  static void Note(Writing& writing, const Status& status);

  CdiFile cdi_file_;
  const std::string nfd_path_;
  std::string nfd_text_;
  Writing cdi_{"deviceplugin.cdiDirectory"};
  Writing nfd_{"deviceplugin.nfdFeatureFile"};
};

}  // namespace fairlead::deviceplugin
