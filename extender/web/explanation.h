// The newest decisions, for people and programs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "extender/decision/decision_record.h"
#include "extender/migration_round/migration_report.h"

namespace fairlead::extender {

using DecisionList = std::vector<std::shared_ptr<const DecisionRecord>>;

// `{"version":1,"decisions":[...]}`, newest first, with what is decided now about moving the gang;
// docs/links-json.md has the fields. Pure.
std::string WriteExplanationJson(const DecisionList& decisions, const MigrationReport& migrations);

// One paragraph a decision, one line a site, newest first. Bytes that are not printable are
// escaped. Pure.
std::string WriteExplanationText(const DecisionList& decisions, const MigrationReport& migrations,
                                 WallTime now);

}  // namespace fairlead::extender
