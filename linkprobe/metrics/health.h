// Whether the probe is well and ready, in words.
#pragma once

#include <memory>
#include <vector>

#include "common/base/clock.h"
#include "common/ops/ops_server.h"
#include "linkprobe/engine/engine_snapshot.h"
#include "linkprobe/report/report_stream.h"
#include "linkprobe/session/plan.h"

namespace fairlead::linkprobe {

// When a loop last came round, and how long it may take.
struct LoopTurn {
  const char* name = "";
  MonotonicTime last_turn{};
  Nanoseconds allowed{};
};

// Well while every loop comes round in time. Pure.
Health LoopsAreTurning(const std::vector<LoopTurn>& loops, MonotonicTime now);

// Ready once a plan has come and, where it asks for probes, the first of them were answered or a
// whole window has passed judging them. Says what is missing. Pure.
Health IsReady(const Plan& plan, const ReportStatus& report,
               const std::vector<std::shared_ptr<const EngineSnapshot>>& engines);

}  // namespace fairlead::linkprobe
