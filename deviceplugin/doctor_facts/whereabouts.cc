#include "deviceplugin/doctor_facts/whereabouts.h"

#include <unistd.h>

#include <array>

#include "deviceplugin/doctor_facts/probe_rtts.h"

namespace fairlead::deviceplugin {
namespace {

constexpr Nanoseconds kPatience = Milliseconds(300);

std::string HostName() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

void TakeSiteOf(const Config& config, const std::string& name, Whereabouts& out) {
  for (const NodeConfig& node : config.nodes) {
    if (out.site.empty() && node.name == name) out.site = node.site;
  }
}

}  // namespace

void AddHeard(const HeardLines& heard, MonotonicTime now, Whereabouts& out) {
  if (heard.site.empty()) return;
  if (out.site.empty()) out.site = heard.site;
  if (out.site != heard.site) return;
  for (const HeardLine& line : FreshLines(heard, now).lines) {
    out.rtts.try_emplace(line.peer,
                         KnownRtt{.rtt = line.rtt,
                                  .source = RttSource::kMeasured,
                                  .age = now - line.at,
                                  .loss = line.loss,
                                  .capacity_bits_per_second = line.capacity_bits_per_second});
  }
}

Whereabouts HeardWhereabouts(const Config& config, const std::string& node_name,
                             const HeardLines& heard, MonotonicTime now) {
  Whereabouts out;
  AddHeard(heard, now, out);
  TakeSiteOf(config, node_name, out);
  return out;
}

Whereabouts FindWhereabouts(const Config& config, const AskedWhereabouts& asked) {
  Whereabouts out{.site = asked.site, .rtts = {}};
  if (const auto probe = AskProbe(config.linkprobe.ops_listen.port, kPatience)) {
    if (out.site.empty()) out.site = probe->site;
    out.differences = probe->differences;
    out.resending = probe->resending;
    // Another site's probe would tell of other lines.
    if (out.site == probe->site) {
      for (const auto& [site, rtt] : probe->rtts) {
        out.rtts[site] = {.rtt = rtt, .source = RttSource::kMeasured};
      }
    }
  }
  const std::string name = asked.node_name.empty() ? HostName() : asked.node_name;
  TakeSiteOf(config, name, out);
  for (const auto& [site, rtt] : asked.rtts) {
    out.rtts[site] = {.rtt = rtt, .source = RttSource::kGiven};
  }
  return out;
}

}  // namespace fairlead::deviceplugin
