// The files on the node that other programs read: CDI specification and NFD features.
#pragma once

#include <optional>
#include <string>

#include "common/config/deviceplugin_config.h"
#include "deviceplugin/cdi/cdi_file.h"
#include "deviceplugin/node/node_state.h"

namespace fairlead::deviceplugin {

// Keeps them up to date. A file that cannot be written is logged once and tried again at the next
// reading. Not thread-safe.
class NodeFiles {
 public:
  explicit NodeFiles(const DevicepluginConfig& config);

  // `config.cdi` may change while running: the specification is written or removed.
  void Publish(const NodeState& state, const DevicepluginConfig& config);

 private:
  void Note(std::string& last, const Status& status);

  CdiFile cdi_;
  const std::string nfd_path_;
  std::string nfd_text_;
  std::string cdi_error_;
  std::string nfd_error_;
};

}  // namespace fairlead::deviceplugin
