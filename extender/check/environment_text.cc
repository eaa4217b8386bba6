#include "extender/check/environment_text.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "common/base/quote.h"

namespace fairlead::extender {
namespace {

// What Kubernetes takes for one.
bool IsName(std::string_view text) {
  const auto right = [](char c) { return c > ' ' && c < 0x7f && c != '='; };
  return !text.empty() && std::ranges::all_of(text, right);
}

}  // namespace

Result<Environment> ParseEnvironment(std::string_view text) {
  const bool nul = text.find('\0') != std::string_view::npos;
  Environment environment;
  int count = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(nul ? '\0' : '\n', begin), text.size());
    std::string_view entry = text.substr(begin, end - begin);
    begin = end + 1;
    ++count;
    if (!nul && entry.ends_with('\r')) entry.remove_suffix(1);
    if (entry.empty()) continue;
    const std::size_t equals = entry.find('=');
    if (equals == std::string_view::npos || !IsName(entry.substr(0, equals))) {
      return Fail(ErrorCode::kInvalidArgument,
                  (nul ? "entry " : "line ") + std::to_string(count) + ", " + Quoted(entry, 40) +
                      ", is not NAME=VALUE; give what `env` prints in the scheduler's pod, or "
                      "/proc/PID/environ where a value has several lines");
    }
    environment[std::string(entry.substr(0, equals))] = entry.substr(equals + 1);
  }
  if (environment.empty()) {
    return Fail(ErrorCode::kInvalidArgument,
                "has no NAME=VALUE; give what `env` prints in the scheduler's pod");
  }
  return environment;
}

}  // namespace fairlead::extender
