// What a site's probes measure of its lines, for nodes that probe no other site.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/clock.h"
#include "common/link/link_measurement.h"
#include "extender/link/line_catalogue.h"
#include "extender/link/link_view.h"

namespace fairlead::extender {

// The line to one other site.
struct SiteLine {
  std::string peer_site;
  Nanoseconds rtt{};                   // median, of the slower direction that has one
  Nanoseconds age{};                   // of its newest answered probe
  std::optional<LossInterval> loss{};  // by probes, of the way with the highest lower bound
  std::optional<std::uint64_t> capacity_bits_per_second{};  // declared
};

inline constexpr std::size_t kMostSiteLines = 64;

// Lines of `site` that probes measure, with their ages at `now`, by the other site's name, at most
// kMostSiteLines: those to the sites that come first. What a Prometheus tells is not the probes'
// and not among them. Pure.
std::vector<SiteLine> LinesOfSite(const LinkSnapshot& links, const LineCatalogue& catalogue,
                                  std::string_view site, MonotonicTime now);

}  // namespace fairlead::extender
