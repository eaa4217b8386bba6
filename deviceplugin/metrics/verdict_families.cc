#include "deviceplugin/metrics/verdict_families.h"

#include <chrono>

namespace fairlead::deviceplugin {

void AddVerdictFamilies(const VerdictCounts& counts, FamilySet& out) {
  out.Gauge("probe_listening", "1 while linkprobe can reach its socket here.", {},
            counts.listening ? 1 : 0);
  constexpr char kHelp[] = "Messages on linkprobe's socket: taken, or why they were refused.";
  out.Counter("probe_verdicts_total", kHelp, {{"result", "taken"}},
              static_cast<double>(counts.heard));
  for (std::size_t i = 0; i < kVerdictRefusals; ++i) {
    const auto why = static_cast<VerdictRefusal>(i);
    out.Counter("probe_verdicts_total", kHelp, {{"result", std::string(VerdictRefusalName(why))}},
                static_cast<double>(counts.refused[i]));
  }
  for (const NicVerdict& verdict : counts.verdicts) {
    out.Gauge("nic_bad", "1 while linkprobe says that this NIC keeps traffic from passing.",
              {{"device", verdict.device}, {"port", std::to_string(verdict.port)}},
              verdict.bad ? 1 : 0);
  }
  for (const HeardLine& line : counts.lines.lines) {
    out.Gauge("line_rtt_seconds", "Median RTT to another site, as linkprobe has told last.",
              {{"site", counts.lines.site}, {"peer_site", line.peer}},
              std::chrono::duration<double>(line.rtt).count());
  }
}

}  // namespace fairlead::deviceplugin
