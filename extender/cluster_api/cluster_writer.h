// Writes to the API server: Events, and the mark on a node that makes waiting pods be tried again.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "common/base/snapshot.h"
#include "common/kube/access.h"
#include "common/kube/api_error.h"
#include "extender/cluster/cluster_event.h"
#include "extender/cluster/cluster_view.h"

namespace fairlead::extender {

struct WriteCounts {
  std::uint64_t events_written = 0;  // created or their series renewed
  std::uint64_t events_dropped = 0;  // too many, or the writer could not keep up
  std::uint64_t nodes_marked = 0;
  std::array<std::uint64_t, kube::kApiFailures> failures{};  // by ApiFailure
};

// A thread and a connection of its own; nothing waits for it. What fails is counted, its reason
// logged once until it changes, and not tried again: an Event is a courtesy, and the next one
// comes. Needs `create` and `patch` on events.events.k8s.io and `patch` on nodes.
class ClusterWriter final : public EventSink {
 public:
  // Fails where the access itself is wrong. `instance` names this process. `view` and `clock` must
  // outlive it.
  static Result<std::unique_ptr<ClusterWriter>> Create(const kube::Access& access,
                                                       std::string user_agent, std::string instance,
                                                       const Snapshot<ClusterView>& view,
                                                       const Clock& clock);
  ~ClusterWriter() override;

  void Start();
  // All thread-safe.
  bool Tell(ClusterEvent event) override;
  // Lines of these sites are well again: marks one ready node of each, at most every 10 s.
  void LinesHealed(std::vector<std::string> sites);
  WriteCounts counts() const;

 private:
  class Impl;
  explicit ClusterWriter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace fairlead::extender
