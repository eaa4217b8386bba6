#include "extender/registry/plan_codec.h"

#include <algorithm>
#include <cstdint>

#include "extender/registry/lease_codec.h"

namespace fairlead::extender {
namespace {

void EncodeLine(const SiteLine& line, v1::SiteLine& out) {
  out.set_peer_site(line.peer_site);
  out.set_rtt_ns(static_cast<std::uint64_t>(line.rtt.count()));
  out.set_age_ns(static_cast<std::uint64_t>(std::max<std::int64_t>(0, line.age.count())));
  if (line.loss) {
    out.set_loss_lower(line.loss->lower);
    out.set_loss_upper(line.loss->upper);
  }
  if (line.capacity_bits_per_second) {
    out.set_capacity_bits_per_second(*line.capacity_bits_per_second);
  }
}

}  // namespace

v1::ProbePlan EncodePlan(const NodePlan& plan) {
  v1::ProbePlan wire;
  wire.set_term(plan.term);
  wire.set_revision(plan.revision);
  wire.set_site(plan.site);
  wire.set_follows(plan.follows);
  for (const PlanPeer& peer : plan.peers) {
    v1::PeerAssignment& out = *wire.add_peers();
    out.set_node(peer.node);
    out.set_site(peer.site);
    out.set_session_address(peer.session_address);
    out.set_probe(peer.probe);
    out.set_key_id(peer.key_id);
    out.set_key(peer.key.data(), peer.key.size());
    out.set_floor_rtt_ns(static_cast<std::uint64_t>(peer.floor_rtt.count()));
    out.set_line_tested(peer.line_tested);
  }
  for (const SiteLine& line : plan.lines) EncodeLine(line, *wire.add_lines());
  if (plan.lease) EncodeLease(*plan.lease, *wire.mutable_lease());
  return wire;
}

}  // namespace fairlead::extender
