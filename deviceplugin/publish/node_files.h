// The files on the node that other programs read: CDI specification and NFD features.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

#include "common/base/log_limit.h"
#include "common/config/deviceplugin_config.h"
#include "deviceplugin/node/node_state.h"
#include "deviceplugin/publish/kept_file.h"

namespace fairlead::deviceplugin {

// Times that each could not be written or removed.
struct NodeFileFailures {
  std::uint64_t cdi = 0;
  std::uint64_t nfd = 0;
};

// Keeps them up to date. A file that cannot be written is logged once and tried again at the next
// reading. Used by one thread; failures(), Trouble() and Intact() by any.
class NodeFiles {
 public:
  explicit NodeFiles(const DevicepluginConfig& config);

  // `config.cdi` may change while running: the specification is written or removed.
  void Publish(const NodeState& state, const DevicepluginConfig& config);

  // False once somebody else has changed or removed one: then Publish writes it anew. Two stats.
  bool Intact() const { return cdi_file_.Intact() && nfd_file_.Intact(); }

  // Why containers that are given CDI names would not start now: the specification could not be
  // written. Empty while all is well.
  std::string Trouble() const;

  NodeFileFailures failures() const { return {cdi_.failures, nfd_.failures}; }

 private:
  // How it stands with one file.
  struct Writing {
    const char* key;  // of the configuration
    std::string last_error = {};
    std::atomic<std::uint64_t> failures = 0;
  };
  void Keep(KeptFile& file, Writing& writing, std::string text);
  void Note(Writing& writing, const Status& status);

  KeptFile cdi_file_;
  KeptFile nfd_file_;
  LogLimit meddling_told_{5, Seconds(3600)};
  mutable std::mutex mutex_;  // of the last errors
  Writing cdi_{"deviceplugin.cdiDirectory"};
  Writing nfd_{"deviceplugin.nfdFeatureFile"};
};

}  // namespace fairlead::deviceplugin
