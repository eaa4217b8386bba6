#include "extender/link/bad_nodes.h"

#include <map>
#include <set>
#include <string_view>

#include "extender/link/lower_median.h"

namespace fairlead::extender {
namespace {

using BySite = std::map<std::string_view, std::vector<LinkState>>;

struct NodeRow {
  std::string_view site;
  BySite towards;  // every verdict on a path between the node and that site
};

bool IsBad(LinkState state) { return state >= LinkState::kDegraded; }

}  // namespace

std::vector<BadNode> FindBadNodes(const std::vector<PairVerdict>& verdicts) {
  std::map<std::string_view, NodeRow> rows;
  for (const PairVerdict& v : verdicts) {
    if (v.state == LinkState::kUnknown) continue;
    NodeRow& prober = rows[*v.node];
    prober.site = *v.site;
    prober.towards[*v.peer_site].push_back(v.state);
    NodeRow& peer = rows[*v.peer_node];
    peer.site = *v.peer_site;
    peer.towards[*v.site].push_back(v.state);
  }

  // Which site each site sees well, and through whom.
  std::set<std::pair<std::string_view, std::string_view>> seen_well;
  for (const auto& [node, row] : rows) {
    for (const auto& [site, states] : row.towards) {
      if (LowerMedian(states) == LinkState::kHealthy) seen_well.insert({row.site, site});
    }
  }

  std::vector<BadNode> bad;
  for (const auto& [node, row] : rows) {
    bool outlier = row.towards.size() >= 2;
    for (const auto& [site, states] : row.towards) {
      // This node itself is no witness against itself: its own verdict is bad here.
      const bool witnessed = site == row.site || seen_well.contains({row.site, site});
      outlier = outlier && IsBad(LowerMedian(states)) && witnessed;
    }
    if (!outlier) continue;
    bad.push_back({std::string(node), std::string(row.site),
                   "its links to all " + std::to_string(row.towards.size()) +
                       " sites are bad while nodes beside it see the same sites well"});
  }
  return bad;
}

}  // namespace fairlead::extender
