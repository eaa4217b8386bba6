#include "linkprobe/record/test_spans.h"

#include <algorithm>
#include <utility>

namespace fairlead::linkprobe {
namespace {

// Windows of all paths of a line end within seconds of each other, so older spans meet none.
constexpr std::size_t kSpansKept = 8;

}  // namespace

WindowBandwidth MakeWindowBandwidth(double bytes_per_second, std::string source, bool at_least) {
  return {.bits_per_second = 8 * bytes_per_second,
          .source = std::move(source) + (at_least ? "_at_least" : "")};
}

void TestSpans::Began(const std::string& line, Nanoseconds at) {
  std::deque<Span>& spans = lines_[line].spans;
  spans.push_back({.begin = at, .end = std::nullopt});
  if (spans.size() > kSpansKept) spans.pop_front();
}

void TestSpans::Ended(const std::string& line, Nanoseconds at,
                      std::optional<WindowBandwidth> found) {
  Line& known = lines_[line];
  if (!known.spans.empty() && !known.spans.back().end) known.spans.back().end = at;
  if (found) known.found = std::move(found);
}

void TestSpans::Describe(LineWindow& window) {
  const auto line = lines_.find(window.line);
  if (line == lines_.end()) return;
  window.tested = std::ranges::any_of(line->second.spans, [&](const Span& span) {
    return span.begin < window.end && (!span.end || *span.end + kAfterwards > window.begin);
  });
  if (window.path == 0) window.bandwidth = std::exchange(line->second.found, std::nullopt);
}

}  // namespace fairlead::linkprobe
