#include "extender/registry/node_plan.h"

#include <algorithm>
#include <set>

namespace fairlead::extender {

Result<std::map<std::string, NodePlan>> MakeNodePlans(
    const std::map<std::string, ProbeIdentity>& probes, const ProbeMesh& mesh,
    const LineCatalogue& lines, PairKeys& keys) {
  std::map<std::string, NodePlan> plans;
  for (const auto& [node, identity] : probes) plans[node].site = identity.site;
  for (const ProbeAssignment& assignment : mesh.assignments) {
    const auto self = probes.find(assignment.node);
    const auto peer = probes.find(assignment.peer);
    if (self == probes.end() || peer == probes.end()) continue;
    const bool in_order = assignment.node < assignment.peer;
    const auto& first = in_order ? *self : *peer;
    const auto& second = in_order ? *peer : *self;
    const auto key = keys.KeyOf({.first = first.first, .second = second.first}, first.second.epoch,
                                second.second.epoch);
    if (!key) return Fail(key.error());
    const auto floor = lines.FloorRtt(self->second.site, peer->second.site);
    plans[assignment.node].peers.push_back({.node = assignment.peer,
                                            .site = peer->second.site,
                                            .session_address = peer->second.session_address,
                                            .probe = assignment.probe,
                                            .key_id = key->id,
                                            .key = key->bytes,
                                            .floor_rtt = floor.value_or(Nanoseconds(0))});
  }
  for (auto& [node, plan] : plans) {
    std::sort(plan.peers.begin(), plan.peers.end(),
              [](const PlanPeer& a, const PlanPeer& b) { return a.node < b.node; });
  }
  keys.Keep({mesh.pairs.begin(), mesh.pairs.end()});
  return plans;
}

void MarkTestedLines(const std::set<LinkKey>& tested, NodePlan& plan) {
  for (PlanPeer& peer : plan.peers) {
    peer.line_tested = HasLineOf(tested, {plan.site, peer.site});
  }
}

}  // namespace fairlead::extender
