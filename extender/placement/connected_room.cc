#include "extender/placement/connected_room.h"

#include <cstddef>
#include <utility>

#include "extender/cost/line_estimate.h"

namespace fairlead::extender {
namespace {

constexpr std::size_t kExactSites = 20;

using Reach = std::vector<std::vector<bool>>;

struct Sites {
  std::vector<std::string> names;
  std::vector<std::uint64_t> hcas;
  Reach reach;
};

Sites SitesWithRoom(const std::map<std::string, std::uint64_t>& hcas, const LinkSnapshot& links) {
  Sites sites;
  for (const auto& [name, count] : hcas) {
    if (count == 0) continue;
    sites.names.push_back(name);
    sites.hcas.push_back(count);
  }
  sites.reach.assign(sites.names.size(), std::vector<bool>(sites.names.size(), true));
  for (std::size_t a = 0; a < sites.names.size(); ++a) {
    for (std::size_t b = a + 1; b < sites.names.size(); ++b) {
      if (StateOfLine(links, sites.names[a], sites.names[b]) != LinkState::kDown) continue;
      sites.reach[a][b] = sites.reach[b][a] = false;
    }
  }
  return sites;
}

// Branch and bound over sites in order: each is taken or left.
class Search {
 public:
  explicit Search(const Sites& sites) : sites_(sites), rest_(sites.names.size() + 1) {
    for (std::size_t i = sites.names.size(); i-- > 0;) rest_[i] = rest_[i + 1] + sites.hcas[i];
  }

  ConnectedRoom Run() {
    Choose(0, 0);
    return best_;
  }

 private:
  void Choose(std::size_t next, std::uint64_t sum) {
    if (sum > best_.hcas) {
      best_ = {sum, {}};
      for (const std::size_t i : taken_) best_.sites.push_back(sites_.names[i]);
    }
    if (next == sites_.names.size() || sum + rest_[next] <= best_.hcas) return;
    bool fits = true;
    for (const std::size_t i : taken_) fits = fits && sites_.reach[i][next];
    if (fits) {
      taken_.push_back(next);
      Choose(next + 1, sum + sites_.hcas[next]);
      taken_.pop_back();
    }
    Choose(next + 1, sum);
  }

  const Sites& sites_;
  std::vector<std::uint64_t> rest_;  // of this site and all behind it
  std::vector<std::size_t> taken_;
  ConnectedRoom best_;
};

ConnectedRoom Bound(const Sites& sites) {
  ConnectedRoom best;
  for (std::size_t a = 0; a < sites.names.size(); ++a) {
    ConnectedRoom room;
    for (std::size_t b = 0; b < sites.names.size(); ++b) {
      if (!sites.reach[a][b]) continue;
      room.hcas += sites.hcas[b];
      room.sites.push_back(sites.names[b]);
    }
    if (room.hcas > best.hcas) best = std::move(room);
  }
  return best;
}

}  // namespace

ConnectedRoom LargestConnectedRoom(const std::map<std::string, std::uint64_t>& hcas,
                                   const LinkSnapshot& links) {
  const Sites sites = SitesWithRoom(hcas, links);
  return sites.names.size() <= kExactSites ? Search(sites).Run() : Bound(sites);
}

}  // namespace fairlead::extender
