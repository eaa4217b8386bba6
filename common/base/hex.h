// Numbers in names.
#pragma once

#include <array>
#include <charconv>
#include <cstdint>
#include <string>

namespace fairlead {

// In lower-case hexadecimal digits, without leading zeros.
inline std::string Hex(std::uint64_t number) {
  std::array<char, 16> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number, 16).ptr;
  return {text.data(), end};
}

}  // namespace fairlead
