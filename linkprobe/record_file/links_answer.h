// What an extender answers to GET /links.json.
#pragma once

#include <string_view>
#include <vector>

#include "common/base/result.h"
#include "linkprobe/record/told_windows.h"

namespace fairlead::linkprobe {

// kInvalidArgument names what is wrong with the answer, and where; nothing of it may be used then.
Result<std::vector<ToldLink>> ReadLinksAnswer(std::string_view body);

}  // namespace fairlead::linkprobe
