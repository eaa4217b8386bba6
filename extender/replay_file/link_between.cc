#include "extender/replay_file/link_between.h"

#include "common/config/names.h"

namespace fairlead::extender {

Result<LinkKey> LinkBetween(std::string_view from, std::string_view to) {
  auto from_site = ParseSiteName(from);
  if (!from_site) return Fail(from_site.error());
  auto to_site = ParseSiteName(to);
  if (!to_site) return Fail(to_site.error());
  return LinkKey{*std::move(from_site), *std::move(to_site)};
}

}  // namespace fairlead::extender
