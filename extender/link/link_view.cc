#include "extender/link/link_view.h"

#include <algorithm>
#include <utility>

namespace fairlead::extender {

const LinkView* LinkSnapshot::Find(std::string_view from_site, std::string_view to_site) const {
  using Names = std::pair<std::string_view, std::string_view>;
  const Names wanted{from_site, to_site};
  const auto names = [](const LinkView& view) {
    return Names{view.key.from_site, view.key.to_site};
  };
  const auto found = std::ranges::lower_bound(links, wanted, {}, names);
  return found != links.end() && names(*found) == wanted ? &*found : nullptr;
}

}  // namespace fairlead::extender
