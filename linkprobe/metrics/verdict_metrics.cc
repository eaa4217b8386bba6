#include "linkprobe/metrics/verdict_metrics.h"

namespace fairlead::linkprobe {

void AddVerdictMetrics(const VerdictStatus& status, FamilySet& out) {
  for (const NicOpinion& opinion : status.opinions) {
    out.Gauge("nic_bad",
              "1 while this node's NIC, and neither a line nor a peer, keeps probes from passing.",
              {{"device", opinion.nic.device}, {"port", std::to_string(opinion.nic.port)}},
              opinion.bad ? 1 : 0);
  }
  const auto count = [&](const char* result, std::uint64_t value) {
    out.Counter("nic_verdicts_total",
                "Messages to the device plugin of this node, by what became of them.",
                {{"result", result}}, static_cast<double>(value));
  };
  count("sent", status.sent);
  count("absent", status.absent);
  count("busy", status.busy);
  count("failed", status.failed);
}

}  // namespace fairlead::linkprobe
