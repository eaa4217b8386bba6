// Whether the probe is well and ready, in words.
#pragma once

#include <memory>
#include <vector>

#include "common/ops/loop_turns.h"
#include "linkprobe/engine/engine_snapshot.h"
#include "linkprobe/report/report_status.h"
#include "linkprobe/session/plan.h"

namespace fairlead::linkprobe {

// Ready once a plan has come and, where it asks for probes, the first of them were answered or a
// whole window has passed judging them. Says what is missing. Pure.
Health IsReady(const Plan& plan, const ReportStatus& report,
               const std::vector<std::shared_ptr<const EngineSnapshot>>& engines);

}  // namespace fairlead::linkprobe
