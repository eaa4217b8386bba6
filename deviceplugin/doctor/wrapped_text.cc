#include "deviceplugin/doctor/wrapped_text.h"

#include <algorithm>

namespace fairlead::deviceplugin {
namespace {

// Where the first word ends: at a blank that is not between backquotes, so that a command stays on
// one line and can be copied.
std::size_t EndOfWord(std::string_view text) {
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '`') quoted = !quoted;
    if (text[i] == ' ' && !quoted) return i;
  }
  return text.size();
}

}  // namespace

std::string Wrapped(std::string_view label, std::size_t indent, std::string_view text,
                    std::size_t width) {
  std::string out;
  std::string line(label);
  line.resize(std::max(indent, line.size()), ' ');
  bool begun = false;
  while (!text.empty()) {
    const std::size_t end = EndOfWord(text);
    const std::string_view word = text.substr(0, end);
    if (begun && line.size() + 1 + word.size() > width) {
      out += line + "\n";
      line.assign(indent, ' ');
      begun = false;
    }
    if (begun) line += ' ';
    line += word;
    begun = true;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return begun ? out + line + "\n" : out;
}

}  // namespace fairlead::deviceplugin
