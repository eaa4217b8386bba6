// Which probes are connected.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "extender/cluster/node_names.h"
#include "extender/registry/probe_identity.h"
#include "extender/registry/probe_line.h"

namespace fairlead::extender {

// Single-threaded. A node whose stream broke stays in the plans for a grace time, so that a short
// interruption does not choose other representatives and make new keys.
class ProbeRoster {
 public:
  struct Member {
    ProbeIdentity identity;
    std::shared_ptr<ProbeLine> line;  // null while in grace
    MonotonicTime left_at{};          // meaningful while in grace
    NodePlan sent;                    // what was sent over `line` last
  };
  using Members = std::map<std::string, Member, std::less<>>;

  explicit ProbeRoster(Nanoseconds grace = std::chrono::seconds(5)) : grace_(grace) {}

  // The newest stream of a node wins; the one before is closed. True when that was another process,
  // which means two probes claim one node.
  bool Join(ProbeIdentity identity, std::shared_ptr<ProbeLine> line);

  // Notices streams that have ended and graces that are over, and closes the streams of nodes that
  // the inventory no longer has in that site. True when the plans must be made anew; the nodes that
  // are gone for good are added to `gone`.
  bool Sweep(const NodeNames& inventory, MonotonicTime now, std::vector<std::string>& gone);

  // Also those in grace.
  Members& members() { return members_; }
  const Members& members() const { return members_; }
  // Connected now, by site.
  std::map<std::string, std::uint32_t, std::less<>> ConnectedBySite() const;

 private:
  const Nanoseconds grace_;
  Members members_;
};

}  // namespace fairlead::extender
