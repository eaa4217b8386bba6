// JSON written by appending to a string.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace fairlead::extender {

// Appends `text` as a JSON string. `text` must be UTF-8; everything that JSON requires is escaped.
void AppendJsonString(std::string& out, std::string_view text);

// The same for text that people read and that may not be UTF-8: what is well formed stays, each
// other byte becomes U+FFFD, as in Go's encoding/json.
void AppendJsonUtf8(std::string& out, std::string_view bytes);

// The same in ASCII alone: each byte outside printable ASCII becomes \u00XX.
void AppendJsonAscii(std::string& out, std::string_view bytes);

void AppendJsonInteger(std::string& out, std::int64_t value);

// The shortest text that reads back as `value`; null for NaN and infinities, which JSON has not.
void AppendJsonNumber(std::string& out, double value);

}  // namespace fairlead::extender
