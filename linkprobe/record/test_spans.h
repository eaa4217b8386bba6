// Which windows of a recording bandwidth tests fall into.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "linkprobe/record/line_window.h"

namespace fairlead::linkprobe {

// What a finished test found, named as WindowBandwidth has it. Pure.
WindowBandwidth MakeWindowBandwidth(double bytes_per_second, std::string source, bool at_least);

// Times count from the start of the recording. Pure; not thread-safe.
class TestSpans {
 public:
  // So long after a test its queue may still drain and its lost probes are still being given up.
  static constexpr Nanoseconds kAfterwards = Seconds(3);

  // The line's test begins. One line's tests follow each other.
  void Began(const std::string& line, Nanoseconds at);
  // It is over; also of a test that never began.
  void Ended(const std::string& line, Nanoseconds at, std::optional<WindowBandwidth> found);

  // Says of the line's next window whether a test shaped it, and puts the values of tests that have
  // ended into it; those of path 0 alone have them, each once.
  void Describe(LineWindow& window);

 private:
  struct Span {
    Nanoseconds begin{};
    std::optional<Nanoseconds> end;  // absent: under way
  };
  struct Line {
    std::deque<Span> spans;
    std::optional<WindowBandwidth> found;  // the newest that no window has yet
  };

  std::map<std::string, Line> lines_;
};

}  // namespace fairlead::linkprobe
