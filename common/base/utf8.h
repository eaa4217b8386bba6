// Characters of a text that may or may not be UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace fairlead {

struct Utf8Character {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  // 0: no well-formed UTF-8 (RFC 3629: no overlong form, no surrogate)

  bool operator==(const Utf8Character&) const = default;
};

// The character that a text which is not empty begins with. Pure.
Utf8Character FirstUtf8(std::string_view text);

// The text as UTF-8 of at most `most` bytes, cut between characters: each byte that is of none
// becomes '?'. What a protobuf `string` needs, since a message with any other text is refused as a
// whole by who gets it. Pure.
std::string AsUtf8(std::string_view text, std::size_t most);

}  // namespace fairlead
