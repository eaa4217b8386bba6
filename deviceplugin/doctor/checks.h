// The checks, a small function each.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "deviceplugin/doctor/findings.h"
#include "deviceplugin/doctor/node_facts.h"

namespace fairlead::deviceplugin {

// Looks at facts and says what it thinks of them. Pure.
using CheckFunction = void (*)(const NodeFacts& facts, Findings& out);

struct Check {
  std::string_view name;   // stable: metrics, JSON, `doctor fix --check`
  std::string_view about;  // what it looks at, a few words
  CheckFunction run;
};

// All, in the order in which they are shown.
std::span<const Check> AllChecks();

// A report of each check, in that order. Pure.
std::vector<CheckReport> Examine(const NodeFacts& facts);

// The worst status of all.
CheckStatus Worst(std::span<const CheckReport> reports);

}  // namespace fairlead::deviceplugin
