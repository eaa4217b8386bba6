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

}  // namespace

Whereabouts FindWhereabouts(const Config& config, const AskedWhereabouts& asked) {
  Whereabouts out{.site = asked.site, .rtts = {}};
  if (const auto probe = AskProbe(config.linkprobe.ops_listen.port, kPatience)) {
    if (out.site.empty()) out.site = probe->site;
    // Another site's probe would tell of other lines.
    if (out.site == probe->site) {
      for (const auto& [site, rtt] : probe->rtts) {
        out.rtts[site] = {.rtt = rtt, .source = RttSource::kMeasured};
      }
    }
  }
  const std::string name = asked.node_name.empty() ? HostName() : asked.node_name;
  for (const NodeConfig& node : config.nodes) {
    if (out.site.empty() && node.name == name) out.site = node.site;
  }
  for (const auto& [site, rtt] : asked.rtts) {
    out.rtts[site] = {.rtt = rtt, .source = RttSource::kGiven};
  }
  return out;
}

}  // namespace fairlead::deviceplugin
