// The one owner of what is known of this node.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "common/base/clock.h"
#include "common/base/log_limit.h"
#include "common/base/snapshot.h"
#include "common/config/deviceplugin_config.h"
#include "deviceplugin/health/health_book.h"
#include "deviceplugin/node/node_state.h"
#include "deviceplugin/offer/resource.h"

namespace fairlead::deviceplugin {

// What the loop publishes; outlives it.
struct NodeOutputs {
  Snapshot<NodeState>& state;
  Snapshot<Offer>& offer;
  // Called on the loop's thread after each reading was published, the first time before Start
  // returns.
  std::function<void(const NodeState&)> published;
};

// Reads the node when it is poked, when a debounce ends and once a minute; judges its health,
// matches pools and publishes the offer. Public calls may come from any thread and never wait for a
// reading.
class NodeLoop {
 public:
  // Reads this node under the policy for GIDs, or says that it could not this time: then all stays
  // as it was and is read again soon. Called on the loop's thread.
  using Reader = std::function<std::optional<NodeInventory>(const GidPolicy&)>;

  // The first reading is done, and published, when this returns: an empty offer is better than a
  // late one. `config` and `clock` outlive the loop.
  NodeLoop(Reader read, const Snapshot<DevicepluginConfig>& config, const Clock& clock,
           NodeOutputs outputs);
  ~NodeLoop();

  // Something may have changed on the node, or the configuration has.
  void Poke();
  // The newest word of linkprobe on this node's NICs, in place of what it said before.
  void Hear(std::vector<NicVerdict> verdicts);

  // When the loop last came round; a reading that hangs leaves it behind.
  MonotonicTime last_turn() const;

 private:
  void Run(const std::stop_token& stop);
  void Read();
  void Failed(MonotonicTime end);

  const Reader read_;
  const Snapshot<DevicepluginConfig>& config_;
  const Clock& clock_;
  const NodeOutputs outputs_;

  HealthBook book_{HealthSettings{}};

  mutable std::mutex mutex_;
  std::condition_variable_any wake_;
  bool poked_ = false;
  std::vector<NicVerdict> verdicts_;
  MonotonicTime last_turn_{};
  bool again_ = false;  // soon: the last reading failed; used by the loop's thread
  LogLimit failures_told_{5, Seconds(600)};

  std::jthread thread_;
};

}  // namespace fairlead::deviceplugin
