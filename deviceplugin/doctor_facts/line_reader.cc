#include "deviceplugin/doctor_facts/line_reader.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "common/base/quote.h"
#include "common/units/duration.h"

namespace fairlead::deviceplugin {
namespace {

std::map<std::string, Coordinates> PlacesOf(const Config& config) {
  std::map<std::string, Coordinates> places;
  for (const SiteConfig& site : config.sites) {
    if (site.coordinates) places[site.name] = *site.coordinates;
  }
  return places;
}

}  // namespace

Known<SiteLines> LinesFrom(const Config& config, const Whereabouts& whereabouts) {
  const std::string& own = whereabouts.site;
  if (own.empty()) {
    return Known<SiteLines>::Not("the site of this node is not known; give --site NAME");
  }
  std::map<std::string, LineFacts> lines;
  const auto line_to = [&](const std::string& peer) -> LineFacts& {
    LineFacts& line = lines[peer];
    line.peer = peer;
    return line;
  };
  for (const SiteConfig& site : config.sites) {
    if (site.name != own) line_to(site.name);
  }
  for (const LineConfig& line : config.lines) {
    if (line.site_a == line.site_b || (line.site_a != own && line.site_b != own)) continue;
    LineFacts& facts = line_to(line.site_a == own ? line.site_b : line.site_a);
    if (line.capacity_bits_per_second) {
      facts.capacity_bits_per_second = *line.capacity_bits_per_second;
    }
  }
  for (const auto& [peer, known] : whereabouts.rtts) {
    if (peer == own) continue;
    LineFacts& facts = line_to(peer);
    facts.rtt = known.rtt;
    facts.rtt_source = known.source;
    facts.rtt_age = known.age;
    facts.loss = known.loss;
    if (!facts.capacity_bits_per_second && known.capacity_bits_per_second) {
      facts.capacity_bits_per_second = *known.capacity_bits_per_second;
    }
  }
  const auto places = PlacesOf(config);
  const auto here = places.find(own);
  SiteLines out{.site = own, .lines = {}};
  for (auto& [peer, line] : lines) {
    if (!line.capacity_bits_per_second) {
      line.capacity_bits_per_second = Known<std::uint64_t>::Not("the configuration declares none");
    }
    const auto there = places.find(peer);
    if (here != places.end() && there != places.end()) {
      line.floor = FibreFloorRtt(here->second, there->second);
    }
    if (!line.rtt && line.floor) {
      line.rtt = *line.floor;
      line.rtt_source = RttSource::kFloor;
    }
    out.lines.push_back(std::move(line));
  }
  return out;
}

Result<std::map<std::string, Nanoseconds>> ParseRtts(const std::string& text) {
  std::map<std::string, Nanoseconds> rtts;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string part = text.substr(at, end - at);
    at = end + 1;
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos || equals == 0) {
      return Fail(ErrorCode::kInvalidArgument,
                  Quoted(part) + " is no SITE=RTT, for example sg=36ms");
    }
    const auto rtt = ParseDuration(part.substr(equals + 1));
    if (!rtt) return Fail(rtt.error().Within(Quoted(part)));
    if (*rtt <= Nanoseconds(0)) {
      return Fail(ErrorCode::kInvalidArgument, Quoted(part) + ": an RTT is above 0");
    }
    rtts[part.substr(0, equals)] = *rtt;
  }
  return rtts;
}

}  // namespace fairlead::deviceplugin
