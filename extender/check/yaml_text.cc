#include "extender/check/yaml_text.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "common/base/quote.h"

namespace fairlead::extender {
namespace {

struct Character {
  std::uint32_t code = 0;
  std::size_t size = 0;  // 0: no UTF-8
};

Character First(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < size) return {};
  std::uint32_t code = lead & (0xffU >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3fU);
  }
  const bool overlong = (size == 3 && code < 0x800) || (size == 4 && code < 0x10000);
  if (overlong || (code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) return {};
  return {code, size};
}

// c-printable of YAML 1.1, and the byte order mark wherever it is.
bool Printable(std::uint32_t code) {
  return code == '\t' || code == '\n' || code == '\r' || (code >= 0x20 && code <= 0x7e) ||
         code == 0x85 || (code >= 0xa0 && code <= 0xfffd) || code >= 0x10000;
}

}  // namespace

Status CheckYamlText(std::string_view text) {
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) return {};
  int line = 1;
  while (!text.empty()) {
    const Character character = First(text);
    const auto refuse = [&](const std::string& why) {
      return Fail(ErrorCode::kInvalidArgument, std::to_string(line) + ": " + why);
    };
    if (character.size == 0) return refuse("is not UTF-8; save the file as UTF-8");
    if (!Printable(character.code)) {
      return refuse("has the control character " + Quoted(text.substr(0, character.size)) +
                    ", which no YAML may have; take it out");
    }
    if (character.code == '\n') ++line;
    text.remove_prefix(character.size);
  }
  return {};
}

}  // namespace fairlead::extender
