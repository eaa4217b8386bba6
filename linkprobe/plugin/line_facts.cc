#include "linkprobe/plugin/line_facts.h"

#include <algorithm>
#include <map>
#include <utility>

namespace fairlead::linkprobe {
namespace {

void TakeLoss(const LossInterval& loss, LineFact& line) {
  if (loss.known() && (!line.loss || loss.lower > line.loss->lower)) line.loss = loss;
}

void TakePath(const PathStatus& path, LineFact& line) {
  TakeLoss(path.measurement.forward.loss, line);
  TakeLoss(path.measurement.reverse.loss, line);
  const auto& rtt = path.measurement.rtt_p50;
  if (!rtt || *rtt <= line.rtt || !path.last_reply) return;
  line.rtt = *rtt;
  line.at = *path.last_reply;
}

}  // namespace

LinesOfSite LinesOf(std::span<const std::shared_ptr<const EngineSnapshot>> engines,
                    const std::string& site, std::span<const LineConfig> declared) {
  LinesOfSite out{.site = site, .lines = {}};
  if (site.empty()) return out;
  std::map<std::string, LineFact> lines;
  for (const auto& engine : engines) {
    for (const PathStatus& path : engine->paths) {
      if (!path.peer_site.empty() && path.peer_site != site) TakePath(path, lines[path.peer_site]);
    }
  }
  for (const LineConfig& line : declared) {
    if (line.site_a != site && line.site_b != site) continue;
    const auto found = lines.find(line.site_a == site ? line.site_b : line.site_a);
    if (found != lines.end()) {
      found->second.capacity_bits_per_second = line.capacity_bits_per_second;
    }
  }
  for (auto& [peer, line] : lines) {
    if (line.rtt <= Nanoseconds(0)) continue;
    line.peer_site = peer;
    out.lines.push_back(std::move(line));
  }
  return out;
}

void AddPlannedLines(std::span<const PlannedLine> planned, LinesOfSite& lines) {
  if (lines.site.empty()) return;
  for (const PlannedLine& line : planned) {
    const auto at = std::ranges::lower_bound(lines.lines, line.peer_site, {}, &LineFact::peer_site);
    const bool own = at != lines.lines.end() && at->peer_site == line.peer_site;
    if (own || line.peer_site == lines.site) continue;
    lines.lines.insert(at, {.peer_site = line.peer_site,
                            .rtt = line.rtt,
                            .at = line.at,
                            .loss = line.loss,
                            .capacity_bits_per_second = line.capacity_bits_per_second});
  }
}

}  // namespace fairlead::linkprobe
