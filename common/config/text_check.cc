#include "common/config/text_check.h"

#include <cstddef>
#include <string>

#include "common/base/utf8.h"

namespace fairlead {
namespace {

constexpr std::size_t kMostBytes = 1 << 20;

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
    const std::size_t length = FirstUtf8(text.substr(i)).bytes;
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
