#include "common/config/problems.h"

#include <algorithm>
#include <utility>

namespace fairlead {
namespace {

constexpr std::size_t kMostShown = 50;

}  // namespace

void Problems::Add(int line, std::string_view path, std::string message) {
  std::string text = path.empty() ? std::string() : std::string(path) + ": ";
  text += message;
  found_.push_back({line, std::move(text)});
}

Error Problems::ToError(std::string_view file_name) const {
  std::vector<Problem> sorted = found_;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Problem& a, const Problem& b) { return a.line < b.line; });
  std::string out;
  for (std::size_t i = 0; i < std::min(sorted.size(), kMostShown); ++i) {
    if (i > 0) out += '\n';
    out += file_name;
    if (sorted[i].line > 0) out += ':' + std::to_string(sorted[i].line);
    out += ": " + sorted[i].text;
  }
  if (sorted.size() > kMostShown) {
    out += "\nand " + std::to_string(sorted.size() - kMostShown) + " more";
  }
  return Error{ErrorCode::kInvalidArgument, std::move(out)};
}

}  // namespace fairlead
