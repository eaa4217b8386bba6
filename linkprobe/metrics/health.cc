#include "linkprobe/metrics/health.h"

#include <algorithm>
#include <string>

namespace fairlead::linkprobe {

Health IsReady(const Plan& plan, const ReportStatus& report,
               const std::vector<std::shared_ptr<const EngineSnapshot>>& engines) {
  if (!plan.received()) {
    return {.ok = false,
            .reason = "no plan from the extender yet" +
                      (report.last_error.empty() ? "" : ": " + report.last_error)};
  }
  const bool up = std::any_of(engines.begin(), engines.end(),
                              [](const auto& engine) { return engine->transport_up; });
  if (!up) {
    std::string reasons;
    for (const auto& engine : engines) reasons += ": " + engine->transport_error;
    return {.ok = false, .reason = "no transport is up" + reasons};
  }
  const bool probes = std::any_of(plan.peers.begin(), plan.peers.end(),
                                  [](const PlannedPeer& peer) { return peer.probe; });
  const auto judged = [](const PathStatus& path) {
    return path.measurement.samples > 0 ||
           path.totals.lost_forward + path.totals.lost_reverse + path.totals.lost_unknown > 0;
  };
  for (const auto& engine : engines) {
    if (std::any_of(engine->paths.begin(), engine->paths.end(), judged)) {
      return {.ok = true, .reason = "ok"};
    }
  }
  if (!probes) return {.ok = true, .reason = "ok: the plan asks for no probes"};
  return {.ok = false, .reason = "no probe of the plan's peers has been answered yet"};
}

}  // namespace fairlead::linkprobe
