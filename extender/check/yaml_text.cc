#include "extender/check/yaml_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "common/base/quote.h"
#include "common/base/utf8.h"

namespace fairlead::extender {
namespace {

// c-printable of YAML 1.1, and the byte order mark wherever it is.
bool Printable(std::uint32_t code) {
  return code == '\t' || code == '\n' || code == '\r' || (code >= 0x20 && code <= 0x7e) ||
         code == 0x85 || (code >= 0xa0 && code <= 0xfffd) || code >= 0x10000;
}

// The line before the first document that says it is of another version, 0 where none does.
int LineOfAnotherVersion(std::string_view text) {
  constexpr std::string_view kDirective = "%YAML";
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  for (int line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view row = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t first = row.find_first_not_of(" \t\r");
    if (first == std::string_view::npos || row[first] == '#') continue;
    if (row[0] != '%') return 0;
    if (!row.starts_with(kDirective)) continue;
    const std::size_t version = row.find_first_not_of(" \t", kDirective.size());
    const std::size_t stop = row.find_first_of(" \t\r#", std::min(version, row.size()));
    if (version == std::string_view::npos || row.substr(version, stop - version) != "1.1") {
      return line;
    }
  }
  return 0;
}

}  // namespace

Status CheckYamlText(std::string_view text) {
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) return {};
  if (const int other = LineOfAnotherVersion(text); other > 0) {
    return Fail(ErrorCode::kInvalidArgument,
                std::to_string(other) +
                    ": Kubernetes and Volcano read YAML 1.1 alone; take the "
                    "directive out");
  }
  int line = 1;
  while (!text.empty()) {
    const Utf8Character character = FirstUtf8(text);
    const auto refuse = [&](const std::string& why) {
      return Fail(ErrorCode::kInvalidArgument, std::to_string(line) + ": " + why);
    };
    if (character.bytes == 0) return refuse("is not UTF-8; save the file as UTF-8");
    if (!Printable(character.code)) {
      return refuse("has the control character " + Quoted(text.substr(0, character.bytes)) +
                    ", which no YAML may have; take it out");
    }
    if (character.code == '\n') ++line;
    text.remove_prefix(character.bytes);
  }
  return {};
}

}  // namespace fairlead::extender
