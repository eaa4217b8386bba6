// The checks' reports, for people and for programs.
#pragma once

#include <span>
#include <string>

#include "deviceplugin/doctor/findings.h"
#include "deviceplugin/doctor/node_facts.h"

namespace fairlead::deviceplugin {

inline constexpr int kExitWarnings = 3;
inline constexpr int kExitFaults = 4;

// 0 up to a note, kExitWarnings, kExitFaults.
int ExitStatusFor(CheckStatus worst);

// What was looked at; each finding, the worst first; what is not known and why; what is fine.
// Pure.
std::string ReportAsText(const NodeFacts& facts, std::span<const CheckReport> reports);

// The same as one JSON object; docs/doctor.md describes it. Pure.
std::string ReportAsJson(const NodeFacts& facts, std::span<const CheckReport> reports);

}  // namespace fairlead::deviceplugin
