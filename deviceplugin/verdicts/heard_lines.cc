#include "deviceplugin/verdicts/heard_lines.h"

#include <map>

namespace fairlead::deviceplugin {

HeardLines FreshLines(const HeardLines& heard, MonotonicTime now) {
  HeardLines fresh = heard;
  std::erase_if(fresh.lines, [&](const HeardLine& line) { return now - line.at > kHeardLineLife; });
  return fresh;
}

HeardLines Merge(const HeardLines& before, HeardLines message, MonotonicTime now) {
  if (message.site.empty()) return FreshLines(before, now);
  std::map<std::string, HeardLine> lines;
  for (HeardLine& line : message.lines) lines.emplace(line.peer, std::move(line));
  if (message.site == before.site) {
    for (const HeardLine& line : before.lines) {
      if (lines.size() < kMostHeardLines) lines.emplace(line.peer, line);
    }
  }
  HeardLines merged{.site = std::move(message.site), .lines = {}};
  for (auto& [peer, line] : lines) merged.lines.push_back(std::move(line));
  return FreshLines(merged, now);
}

}  // namespace fairlead::deviceplugin
