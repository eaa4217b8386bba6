// Who probes whom.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace fairlead::extender {

struct ProbeNode {
  std::string node;
  std::string site;
  bool alive = false;    // its stream to the extender stands
  bool has_hca = false;  // with a usable RDMA port
};

struct ProbeMeshSettings {
  std::uint32_t representatives_per_site = 3;  // at least 1 is used
  std::uint32_t neighbours_in_site = 2;
};

// `node` probes `peer`, or, with probe false, only answers it.
struct ProbeAssignment {
  std::string node;
  std::string peer;
  bool probe = false;
  auto operator<=>(const ProbeAssignment&) const = default;
};

// Two nodes that exchange probes and so need a common key; first < second.
struct NodePair {
  std::string first;
  std::string second;
  auto operator<=>(const NodePair&) const = default;
};

struct ProbeMesh {
  std::vector<ProbeAssignment> assignments;  // sorted
  std::vector<NodePair> pairs;               // sorted, each once
  std::map<std::string, std::vector<std::string>, std::less<>> representatives;  // by site, sorted
};

// Between sites: every representative probes every representative of each other site. They are the
// nodes of highest rendezvous hash of (site, node) among those alive, of those with an HCA where
// there are any, so one node's death changes only its own share. Inside a site each node alive
// probes `neighbours_in_site` others, chosen by the hash of (node, peer) in the same way. Nodes
// without a site take no part; of nodes with the same name the first counts. Deterministic,
// independent of the order of `nodes`.
ProbeMesh MakeProbeMesh(std::vector<ProbeNode> nodes, const ProbeMeshSettings& settings);

}  // namespace fairlead::extender
