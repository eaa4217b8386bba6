// Bandwidth tests again and again, while something else is being recorded.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "linkprobe/cli/command_line.h"
#include "linkprobe/record/line_window.h"
#include "linkprobe/saturate/round_trip_tap.h"

namespace fairlead::linkprobe {

// What became of a peer's test.
struct TestNote {
  std::string peer;
  MonotonicTime at{};
  bool begins = false;
  std::optional<WindowBandwidth> found{};
  std::string trouble{};  // why it found nothing; empty where it did
};

// A peer, and the round trips of the probes that go to it.
struct TestedPeer {
  std::string peer;  // host:port of its `respond`
  RoundTripTap* tap = nullptr;
};

// A thread that tests each peer in turn, once in each interval. What is not sent while others test
// or the quota is spent is told as trouble, and tried again a round later.
class TestRounds {
 public:
  // Fails at once where the ledger or the key cannot be read. `peers`' taps and `clock` outlive it.
  static Result<std::unique_ptr<TestRounds>> Start(const RecordedTests& wish,
                                                   const AdHocOptions& options,
                                                   std::vector<TestedPeer> peers,
                                                   const Clock& clock);
  // Ends a test that is under way.
  ~TestRounds();

  // The next note, oldest first, if there is one; never waits.
  std::optional<TestNote> Next();

 private:
  class Loop;
  explicit TestRounds(std::unique_ptr<Loop> loop);
  std::unique_ptr<Loop> loop_;
};

}  // namespace fairlead::linkprobe
