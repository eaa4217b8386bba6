// What parsers that work in blocks need behind a text.
#pragma once

#include <cstddef>

namespace fairlead {

// So many bytes behind a JSON text can be read, whatever they hold.
inline constexpr std::size_t kJsonPadding = 64;

}  // namespace fairlead
