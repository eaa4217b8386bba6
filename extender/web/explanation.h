// The newest decisions, for people and programs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "extender/decision/decision_record.h"

namespace fairlead::extender {

using DecisionList = std::vector<std::shared_ptr<const DecisionRecord>>;

// `{"version":1,"decisions":[...]}`, newest first; docs/links-json.md has the fields. Pure.
std::string WriteExplanationJson(const DecisionList& decisions);

// One paragraph a decision, one line a site, newest first. Bytes that are not printable are
// escaped. Pure.
std::string WriteExplanationText(const DecisionList& decisions, WallTime now);

}  // namespace fairlead::extender
