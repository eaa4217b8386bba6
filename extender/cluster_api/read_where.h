// Naming the field that could not be read, and the words of taints.
#pragma once

#include <optional>
#include <string_view>

#include "common/json/json_cursor.h"
#include "extender/gang_plan/node_capacity.h"

namespace fairlead::extender::json {

// The innermost field that failed is the one that is named.
inline fairlead::json::error_code Where(std::string_view& where, std::string_view name,
                                        fairlead::json::error_code error) {
  if (error && where.empty()) where = name;
  return error;
}

inline std::optional<TaintEffect> ParseEffect(std::string_view text) {
  if (text == "NoSchedule") return TaintEffect::kNoSchedule;
  if (text == "PreferNoSchedule") return TaintEffect::kPreferNoSchedule;
  if (text == "NoExecute") return TaintEffect::kNoExecute;
  return std::nullopt;
}

}  // namespace fairlead::extender::json
