// Where the extender knows nodes, pods and gangs from, and whether it is the replica that leads.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "common/base/snapshot.h"
#include "common/config/config.h"
#include "common/kube/api_connection.h"
#include "common/ops/ops_server.h"
#include "extender/cluster/cluster_event.h"
#include "extender/cluster/cluster_view.h"
#include "extender/leader/leadership.h"
#include "extender/registry/token_verifier.h"

namespace prometheus {
class Collectable;
}  // namespace prometheus

namespace fairlead::extender {

// Standalone it is the configuration, one replica, and tokens in files. Else it is the API server,
// which also elects one of the replicas where each knows its pod.
class KnownCluster {
 public:
  // Nothing is followed before Start. `pod` is this replica's; empty: there is no election, and it
  // leads. `renewed` is called after each new view, on another thread than the caller's.
  static Result<std::unique_ptr<KnownCluster>> Create(const Config& config, const std::string& pod,
                                                      const Clock& clock,
                                                      std::function<void()> renewed);
  virtual ~KnownCluster() = default;

  // Follows from now on. Once.
  virtual void Start() = 0;

  // All thread-safe.
  const Snapshot<ClusterView>& view() const { return view_; }
  const Snapshot<Leadership>& leadership() const { return leadership_; }
  virtual void Configure(const Config& config) = 0;
  // Why an edit of the configuration may not come into force while this runs.
  virtual Status CheckEdit(const Config&) const { return {}; }
  virtual EventSink& events() = 0;
  virtual TokenVerifier& tokens() = 0;
  // Lines of these sites are well again: pods that wait are to be tried once more.
  virtual void LinesHealed(std::vector<std::string> sites) = 0;
  // Why a scheduler gets no answer from this replica, which is counted: another one leads, and by
  // an answer that knows no plan the pods of a gang would go anywhere. Nothing while it leads.
  virtual std::optional<std::string> WhyNotHere(MonotonicTime now) = 0;
  virtual Health health(MonotonicTime now) const = 0;
  // Whether nodes, pods and what tells of gangs have been listed, but for what failed.
  virtual bool settled() const = 0;
  virtual std::vector<std::shared_ptr<prometheus::Collectable>> collectables() const = 0;
  // A connection of its own to the API server; null standalone.
  virtual Result<std::unique_ptr<kube::ApiConnection>> Connect(kube::ConnectionLimits limits) = 0;
  // Leads no more, and says so; before anything else ends.
  virtual void Stop() = 0;

 protected:
  Snapshot<ClusterView> view_;
  Snapshot<Leadership> leadership_{Leadership::Standalone()};
};

}  // namespace fairlead::extender
