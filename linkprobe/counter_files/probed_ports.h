// What the engines' probes say about the ports that they pass.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "linkprobe/counters/port_book.h"
#include "linkprobe/engine/engine_snapshot.h"

namespace fairlead::linkprobe {

// One entry for each engine whose packets all pass one port, with its paths summed. Pure.
std::vector<ProbedPort> ProbedPorts(std::span<const std::shared_ptr<const EngineSnapshot>> engines);

}  // namespace fairlead::linkprobe
