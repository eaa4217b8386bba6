#include "extender/plan/probe_mesh.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "extender/plan/rendezvous.h"

namespace fairlead::extender {
namespace {

using NodesBySite = std::map<std::string, std::vector<ProbeNode>, std::less<>>;

NodesBySite AliveBySite(std::vector<ProbeNode> nodes) {
  std::ranges::stable_sort(nodes, {}, &ProbeNode::node);
  const auto repeats = std::ranges::unique(nodes, {}, &ProbeNode::node);
  nodes.erase(repeats.begin(), repeats.end());
  NodesBySite by_site;
  for (ProbeNode& node : nodes) {
    if (node.alive && !node.site.empty() && !node.node.empty()) {
      by_site[node.site].push_back(std::move(node));
    }
  }
  return by_site;
}

// Only nodes with an HCA see the line as the jobs do; without any, better a weaker rung than none.
std::vector<std::string> Eligible(const std::vector<ProbeNode>& nodes) {
  const bool hcas = std::ranges::any_of(nodes, &ProbeNode::has_hca);
  std::vector<std::string> names;
  for (const ProbeNode& node : nodes) {
    if (node.has_hca || !hcas) names.push_back(node.node);
  }
  return names;
}

// Who probes whom, before the answering sides are added.
using Probing = std::set<std::pair<std::string, std::string>>;

void BetweenSites(const ProbeMesh& mesh, Probing& probing) {
  for (const auto& [site, representatives] : mesh.representatives) {
    for (const auto& [other, peers] : mesh.representatives) {
      if (site == other) continue;
      for (const std::string& node : representatives) {
        for (const std::string& peer : peers) probing.insert({node, peer});
      }
    }
  }
}

void InsideSite(const std::vector<ProbeNode>& nodes, std::size_t neighbours, Probing& probing) {
  for (const ProbeNode& node : nodes) {
    std::vector<std::string> others;
    for (const ProbeNode& other : nodes) {
      if (other.node != node.node) others.push_back(other.node);
    }
    for (std::string& peer : HighestHashes(node.node, std::move(others), neighbours)) {
      probing.insert({node.node, std::move(peer)});
    }
  }
}

}  // namespace

ProbeMesh MakeProbeMesh(std::vector<ProbeNode> nodes, const ProbeMeshSettings& settings) {
  const NodesBySite by_site = AliveBySite(std::move(nodes));
  ProbeMesh mesh;
  Probing probing;
  for (const auto& [site, members] : by_site) {
    mesh.representatives[site] =
        HighestHashes(site, Eligible(members), std::max(settings.representatives_per_site, 1U));
    InsideSite(members, settings.neighbours_in_site, probing);
  }
  BetweenSites(mesh, probing);

  std::set<NodePair> pairs;
  for (const auto& [node, peer] : probing) {
    mesh.assignments.push_back({node, peer, true});
    if (!probing.contains({peer, node})) mesh.assignments.push_back({peer, node, false});
    pairs.insert({std::min(node, peer), std::max(node, peer)});
  }
  std::ranges::sort(mesh.assignments);
  mesh.pairs.assign(pairs.begin(), pairs.end());
  return mesh;
}

}  // namespace fairlead::extender
