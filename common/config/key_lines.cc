#include "common/config/key_lines.h"

namespace fairlead {

KeyLines::KeyLines(const DocumentNode& root) {
  for (const DocumentNode& section : root.children) {
    lines_.emplace(section.key, section.line);
    if (section.kind != DocumentNode::Kind::kMapping) continue;
    for (const DocumentNode& key : section.children) {
      lines_.emplace(section.key + "." + key.key, key.line);
    }
  }
}

int KeyLines::Of(std::string_view path) const {
  const auto found = lines_.find(path);
  if (found != lines_.end()) return found->second;
  const std::size_t point = path.rfind('.');
  return point == std::string_view::npos ? 0 : Of(path.substr(0, point));
}

}  // namespace fairlead
