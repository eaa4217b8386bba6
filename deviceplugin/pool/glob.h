// Patterns as in file names.
#pragma once

#include <string_view>

namespace fairlead::deviceplugin {

// True when the whole of `text` fits: * stands for any characters or none, ? for exactly one. Takes
// at most |pattern| x |text| steps. Pure.
bool MatchesGlob(std::string_view pattern, std::string_view text);

}  // namespace fairlead::deviceplugin
