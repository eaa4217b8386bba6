// HCAs that somebody holds and nobody uses.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "deviceplugin/doctor/node_facts.h"

namespace fairlead::deviceplugin {

using IdleHcas = std::map<std::string, std::vector<std::string>>;  // holders by device

// Those held without a queue pair of any program. Pure.
IdleHcas FindIdle(const NodeFacts& facts);

// Marks those that had the same holders and were idle before. Pure.
void MarkIdleBefore(const IdleHcas& before, NodeFacts& facts);

}  // namespace fairlead::deviceplugin
