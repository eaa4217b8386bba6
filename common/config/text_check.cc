#include "common/config/text_check.h"

#include <cstddef>
#include <string>

namespace fairlead {
namespace {

constexpr std::size_t kMostBytes = 1 << 20;

// Length of the well-formed UTF-8 sequence at the front of `text`, 0 if there is none (RFC 3629).
std::size_t Utf8Length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  const unsigned char second = byte(1);
  const bool overlong = (lead == 0xe0 && second < 0xa0) || (lead == 0xf0 && second < 0x90);
  const bool surrogate = lead == 0xed && second > 0x9f;
  const bool beyond = lead == 0xf4 && second > 0x8f;
  return overlong || surrogate || beyond ? 0 : length;
}

bool IsForbiddenControl(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\n' && c != '\r' && c != '\t') || byte == 0x7f;
}

}  // namespace

bool CheckConfigText(std::string_view text, Problems& problems) {
  if (text.size() > kMostBytes) {
    problems.Add(0, "",
                 "is " + std::to_string(text.size()) +
                     " bytes long, at most 1 MiB is read; is this the right file?");
    return false;
  }
  if (text.starts_with("\xef\xbb\xbf") || text.starts_with("\xff\xfe") ||
      text.starts_with("\xfe\xff")) {
    problems.Add(1, "", "starts with a byte order mark; save the file as UTF-8 without one");
    return false;
  }
  bool clean = true;
  bool indentation = true;
  int line = 1;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = Utf8Length(text.substr(i));
    if (length == 0) {
      problems.Add(line, "", "is not valid UTF-8; save the file as UTF-8");
      return false;
    }
    const char c = text[i];
    if (IsForbiddenControl(c)) {
      problems.Add(line, "", "holds a control character; remove it");
      return false;
    }
    if (c == '\t' && indentation) {
      problems.Add(line, "", "is indented with a tab; YAML wants spaces");
      clean = false;
      indentation = false;
    }
    if (c == '\n') {
      ++line;
      indentation = true;
    } else if (c != ' ') {
      indentation = false;
    }
    i += length;
  }
  return clean;
}

}  // namespace fairlead
