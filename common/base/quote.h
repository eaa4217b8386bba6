// Showing untrusted text to people.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fairlead {

// The text in double quotes, safe in any log, terminal or error message: bytes outside printable
// ASCII become \xNN, quotes and backslashes are escaped, and what is longer than `limit` bytes is
// cut and marked with "...".
std::string Quoted(std::string_view text, std::size_t limit = 80);

}  // namespace fairlead
