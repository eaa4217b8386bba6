// Paragraphs for people.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fairlead::deviceplugin {

// The text in lines of at most `width` bytes where its words allow, the first behind `label`, which
// is padded to `indent`, the others behind as many spaces; each ends with a newline. What stands
// between backquotes is not broken. Nothing for an empty text.
std::string Wrapped(std::string_view label, std::size_t indent, std::string_view text,
                    std::size_t width = 100);

}  // namespace fairlead::deviceplugin
