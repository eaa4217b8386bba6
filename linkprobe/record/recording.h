// A recording as it is read back, and what of it could not be used.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "linkprobe/record/line_window.h"

namespace fairlead::linkprobe {

// One line as far as its values may be compared: those of another path or rung are of another kind.
struct LineKey {
  std::string line;
  std::uint32_t path = 0;
  TransportRung rung = TransportRung::kUdpSw;

  friend auto operator<=>(const LineKey&, const LineKey&) = default;
};

// Lines of the file that were passed over, by reason.
struct PassedOver {
  std::uint64_t unreadable = 0;    // no JSON, or not the fields of a window
  std::uint64_t cut_off = 0;       // the last one, where the writing was interrupted
  std::uint64_t impossible = 0;    // values that contradict each other
  std::uint64_t out_of_order = 0;  // begins before the one before it has ended
  std::uint64_t odd_length = 0;    // less than half or more than twice the window: the host slept

  std::uint64_t Total() const {
    return unreadable + cut_off + impossible + out_of_order + odd_length;
  }
  friend bool operator==(const PassedOver&, const PassedOver&) = default;
};

struct Recording {
  RecordingFacts facts;
  std::map<LineKey, std::vector<LineWindow>> lines;  // windows in order of time
  PassedOver passed_over;
  std::uint64_t clock_steps = 0;  // the wall clock was set; windows do not depend on it
  bool complete = false;          // it lasted as long as was planned
};

// Sorts windows into a recording. Pure; not thread-safe.
class RecordingBuilder {
 public:
  explicit RecordingBuilder(const RecordingFacts& facts) { recording_.facts = facts; }

  // Counted in PassedOver where it cannot be used.
  void Add(LineWindow window);
  void NoteUnreadable() { ++recording_.passed_over.unreadable; }
  void NoteCutOff() { ++recording_.passed_over.cut_off; }
  void NoteEnd() { recording_.complete = true; }

  Recording Take() { return std::move(recording_); }

 private:
  struct LastWindow {
    Nanoseconds end{};
    WallTime wall_end{};
  };

  Recording recording_;
  // By line and path: a change of the rung is no new time.
  std::map<std::pair<std::string, std::uint32_t>, LastWindow> last_;
};

}  // namespace fairlead::linkprobe
