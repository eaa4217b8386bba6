// The probe plan of one node, as plain values.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "extender/lease/lease.h"
#include "extender/link/line_catalogue.h"
#include "extender/plan/probe_mesh.h"
#include "extender/registry/pair_keys.h"
#include "extender/registry/probe_identity.h"
#include "extender/registry/site_lines.h"

namespace fairlead::extender {

struct PlanPeer {
  std::string node;
  std::string site;
  std::string session_address;
  bool probe = false;
  std::uint32_t key_id = 0;
  std::array<unsigned char, 32> key{};
  Nanoseconds floor_rtt{};   // zero: not known
  bool line_tested = false;  // a bandwidth test fills the line between the sites
  bool operator==(const PlanPeer&) const = default;
};

struct NodePlan {
  std::uint64_t term = 0;
  std::uint64_t revision = 0;
  std::string site{};
  std::vector<PlanPeer> peers{};  // sorted by node
  bool follows = false;           // no plan: this replica does not lead
  std::optional<BandwidthLease> lease{};
  std::vector<SiteLine> lines{};  // of the node's site

  // The same but for the revision and the lines, which age by themselves.
  bool SameContent(const NodePlan& other) const {
    return term == other.term && site == other.site && peers == other.peers &&
           follows == other.follows && lease == other.lease;
  }
};

// Plans of all nodes by name, revision not yet set. `probes` are those alive, by node; every node
// of the mesh is among them. Takes keys from `keys` and drops those no longer needed.
Result<std::map<std::string, NodePlan>> MakeNodePlans(
    const std::map<std::string, ProbeIdentity>& probes, const ProbeMesh& mesh,
    const LineCatalogue& lines, PairKeys& keys);

// Says of each peer whether its line is among those of `tested`, in whichever direction.
void MarkTestedLines(const std::set<LinkKey>& tested, NodePlan& plan);

}  // namespace fairlead::extender
