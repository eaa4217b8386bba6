#include "common/svg/xml.h"

#include <cstddef>
#include <cstdint>

#include "common/base/utf8.h"

namespace fairlead {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool Allowed(std::uint32_t code) {
  if (code < 0x20) return code == '\t' || code == '\n' || code == '\r';
  return code != 0xFFFE && code != 0xFFFF;
}

std::string_view Markup(std::uint32_t code) {
  switch (code) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

}  // namespace

std::string XmlEscaped(std::string_view text) {
  std::string escaped;
  while (!text.empty()) {
    const Utf8Character first = FirstUtf8(text);
    const std::size_t bytes = first.bytes == 0 ? 1 : first.bytes;
    if (first.bytes == 0 || !Allowed(first.code)) {
      escaped += kReplacement;
    } else if (const std::string_view markup = Markup(first.code); !markup.empty()) {
      escaped += markup;
    } else {
      escaped += text.substr(0, bytes);
    }
    text.remove_prefix(bytes);
  }
  return escaped;
}

}  // namespace fairlead
