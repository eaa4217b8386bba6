// Writing a plan into the kernel's files, and taking it back.
#pragma once

#include <string>
#include <vector>

#include "common/base/result.h"
#include "deviceplugin/doctor/fix_plan.h"
#include "deviceplugin/doctor_fix/undo_file.h"

namespace fairlead::deviceplugin {

struct FixPlaces {
  std::string root;       // where the host's /sys and /proc are
  std::string undo_file;  // what keeps the old values
};

// Writes the steps in their order, after the old values have been kept. Where a step fails, those
// before it are taken back and nothing is kept. kUnavailable where old values are kept already:
// they would be lost. The old values, in the order of the steps.
Result<std::vector<OldValue>> ApplyFix(const FixPlan& plan, const FixPlaces& places);

struct Undone {
  std::vector<OldValue> restored;
  std::vector<OldValue> left;  // hold neither value any more: somebody has changed them since
};

// Gives each file that still holds its new value the old one, the last first, and removes what was
// kept. kNotFound where nothing is kept. Where a file cannot be written, the rest stays kept.
Result<Undone> UndoFix(const FixPlaces& places);

}  // namespace fairlead::deviceplugin
