// `doctor fix`, in words.
#pragma once

#include <string>
#include <vector>

#include "deviceplugin/doctor/fix_plan.h"
#include "deviceplugin/doctor_fix/apply_fix.h"

namespace fairlead::deviceplugin {

// A line for each file: what it holds and what it would get. Pure.
std::string PlanAsText(const FixPlan& plan, const std::vector<std::string>& values_now);

std::string AppliedAsText(const std::vector<OldValue>& values, const std::string& check,
                          const std::string& undo_file);
std::string UndoneAsText(const Undone& undone);

}  // namespace fairlead::deviceplugin
