// Windows made of what an extender tells of its links.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "linkprobe/record/line_window.h"

namespace fairlead::linkprobe {

// A bandwidth test that was made by somebody else.
struct ToldTest {
  std::string source;
  double bytes_per_second = 0;
  Nanoseconds age{};
  bool at_least = false;
};

// One link of one answer. Its values cover as long as the probes' reports look back.
struct ToldLink {
  std::string from;  // sites
  std::string to;
  std::optional<TransportRung> rung;  // absent: nobody measures it
  std::uint64_t samples = 0;
  std::optional<Nanoseconds> age;  // of the newest sample
  std::optional<Nanoseconds> rtt_min;
  std::optional<Nanoseconds> rtt_p50;
  std::optional<Nanoseconds> rtt_p99;
  WindowDirection forward;
  WindowDirection reverse;
  std::uint64_t lost_unknown = 0;
  bool tested = false;  // the values are older than a bandwidth test
  std::vector<ToldTest> tests;
};

// Makes a window of each link out of each answer, as long as the time between two answers is to be:
// that must be no shorter than what the values cover, or windows would tell the same probes twice.
// Pure; not thread-safe.
class ToldWindows {
 public:
  explicit ToldWindows(Nanoseconds window) : window_(window) {}

  // The windows that end with the answer `at`, counted from the start of the recording. A link that
  // is not measured now, whose newest sample is older than a window, or that was not told before
  // has none.
  std::vector<LineWindow> Observe(const std::vector<ToldLink>& links, Nanoseconds at,
                                  WallTime wall_at);

 private:
  std::optional<LineWindow> Cut(const ToldLink& link, Nanoseconds at, WallTime wall_at);

  const Nanoseconds window_;
  std::map<std::string, Nanoseconds> told_;  // when last, by line
};

}  // namespace fairlead::linkprobe
