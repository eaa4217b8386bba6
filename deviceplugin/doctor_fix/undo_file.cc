#include "deviceplugin/doctor_fix/undo_file.h"

#include <algorithm>

#include "common/base/quote.h"

namespace fairlead::deviceplugin {
namespace {

constexpr std::string_view kHead = "# fairlead-deviceplugin doctor fix: path, old value, new value";

}  // namespace

std::string Blanked(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool white = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!white) {
      out += c;
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

std::string FormatUndo(const std::vector<OldValue>& values) {
  std::string text = std::string(kHead) + "\n";
  for (const OldValue& value : values) {
    text += value.path + "\t" + Blanked(value.old_value) + "\t" + Blanked(value.new_value) + "\n";
  }
  return text;
}

Result<std::vector<OldValue>> ParseUndo(std::string_view text) {
  std::vector<OldValue> values;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.front() == '#') continue;
    const std::size_t first = line.find('\t');
    const std::size_t second = first == std::string_view::npos ? first : line.find('\t', first + 1);
    if (second == std::string_view::npos || line.front() != '/' ||
        line.find('\t', second + 1) != std::string_view::npos) {
      return Fail(ErrorCode::kInvalidArgument,
                  "the line " + Quoted(line) + " is no path with two values");
    }
    values.push_back({.path = std::string(line.substr(0, first)),
                      .old_value = std::string(line.substr(first + 1, second - first - 1)),
                      .new_value = std::string(line.substr(second + 1))});
  }
  return values;
}

}  // namespace fairlead::deviceplugin
