#include "extender/http/json_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "common/base/utf8.h"

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

// True where one of eight bytes needs an escape: below 0x20, a quote or a backslash. Each byte is
// tested by a subtraction that borrows into its highest bit; a byte of 0x80 or more may be reported
// as well, which only costs the slower way.
bool MayNeedEscape(std::uint64_t bytes) {
  constexpr std::uint64_t kOnes = 0x0101010101010101U;
  const std::uint64_t quote = bytes ^ (kOnes * '"');
  const std::uint64_t backslash = bytes ^ (kOnes * '\\');
  const std::uint64_t found =
      (bytes - kOnes * 0x20) | (quote - kOnes) | (backslash - kOnes) | bytes;
  return (found & (kOnes * 0x80)) != 0;
}

bool IsPlain(std::string_view text) {
  std::size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, text.data() + i, 8);
    if (MayNeedEscape(bytes)) return false;
  }
  for (; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x20 || byte >= 0x80 || byte == '"' || byte == '\\') return false;
  }
  return true;
}

}  // namespace

void AppendJsonString(std::string& out, std::string_view text) {
  if (IsPlain(text)) {  // as nearly all names are
    out += '"';
    out += text;
    out += '"';
    return;
  }
  AppendQuoted(out, text,
               [](unsigned char byte) { return byte < 0x20 || byte == '"' || byte == '\\'; });
}

void AppendJsonUtf8(std::string& out, std::string_view bytes) {
  std::string clean;
  clean.reserve(bytes.size());
  while (!bytes.empty()) {
    const std::size_t length = FirstUtf8(bytes).bytes;
    if (length == 0) {
      clean += "\xef\xbf\xbd";
    } else {
      clean.append(bytes, 0, length);
    }
    bytes.remove_prefix(length == 0 ? 1 : length);
  }
  AppendJsonString(out, clean);
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
