#include "extender/http/json_extent.h"

#include <vector>

namespace fairlead::extender {
namespace {

using Kind = JsonExtent::Kind;

constexpr std::string_view kWhiteSpace = " \t\r\n";

// The closing quote of the string that begins at `open`; npos where there is none.
std::size_t ClosingQuote(std::string_view text, std::size_t open) {
  std::size_t at = text.find_first_of("\"\\", open + 1);
  while (at != std::string_view::npos && text[at] == '\\') {
    at = text.find_first_of("\"\\", at + 2);
  }
  return at;
}

JsonExtent Behind(std::string_view text, std::size_t end) {
  const std::size_t next = text.find_first_not_of(kWhiteSpace, end);
  if (next == std::string_view::npos) return {.kind = Kind::kWhole, .at = end};
  return {.kind = Kind::kFollowed, .at = next};
}

}  // namespace

JsonExtent ExtentOf(std::string_view text) {
  std::vector<bool> open_braces;  // for each open bracket whether it is a brace
  std::size_t at = text.find_first_of("\"{}[]");
  while (at != std::string_view::npos) {
    const char c = text[at];
    if (c == '"') {
      at = ClosingQuote(text, at);
      if (at == std::string_view::npos) break;
    } else if (c == '{' || c == '[') {
      open_braces.push_back(c == '{');
    } else {
      if (open_braces.empty() || open_braces.back() != (c == '}')) {
        return {.kind = Kind::kMismatched, .at = at};
      }
      open_braces.pop_back();
      if (open_braces.empty()) return Behind(text, at + 1);
    }
    at = text.find_first_of("\"{}[]", at + 1);
  }
  return {.kind = Kind::kTruncated, .at = text.size()};
}

}  // namespace fairlead::extender
