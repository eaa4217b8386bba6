// What a mended node looked like before.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/base/result.h"

namespace fairlead::deviceplugin {

// One file of the kernel's: what it held, and what it was given.
struct OldValue {
  std::string path;
  std::string old_value;
  std::string new_value;

  bool operator==(const OldValue&) const = default;
};

// A line for each, fields separated by tabs. Values are single lines in which white space is a
// blank. Pure.
std::string FormatUndo(const std::vector<OldValue>& values);
// kInvalidArgument with the line that is none. Pure.
Result<std::vector<OldValue>> ParseUndo(std::string_view text);

// With one blank for all white space within, and none at the ends, as the kernel's values are
// compared. Pure.
std::string Blanked(std::string_view text);

}  // namespace fairlead::deviceplugin
