#include "extender/http/json_text.h"

#include <array>
#include <charconv>
#include <cmath>

namespace fairlead::extender {
namespace {

void AppendEscape(std::string& out, unsigned char byte) {
  constexpr std::string_view kHex = "0123456789abcdef";
  switch (byte) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      out += "\\u00";
      out += kHex[byte >> 4U];
      out += kHex[byte & 0xfU];
  }
}

template <class NeedsEscape>
void AppendQuoted(std::string& out, std::string_view text, NeedsEscape needs_escape) {
  out += '"';
  std::size_t plain = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (!needs_escape(byte)) continue;
    out.append(text, plain, i - plain);
    AppendEscape(out, byte);
    plain = i + 1;
  }
  out.append(text, plain);
  out += '"';
}

}  // namespace

void AppendJsonString(std::string& out, std::string_view text) {
  AppendQuoted(out, text,
               [](unsigned char byte) { return byte < 0x20 || byte == '"' || byte == '\\'; });
}

void AppendJsonAscii(std::string& out, std::string_view bytes) {
  AppendQuoted(out, bytes, [](unsigned char byte) {
    return byte < 0x20 || byte >= 0x7f || byte == '"' || byte == '\\';
  });
}

void AppendJsonInteger(std::string& out, std::int64_t value) {
  std::array<char, 24> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  out.append(text.data(), end);
}

void AppendJsonNumber(std::string& out, double value) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  out.append(text.data(), end);
}

}  // namespace fairlead::extender
