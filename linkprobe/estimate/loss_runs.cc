#include "linkprobe/estimate/loss_runs.h"

#include <algorithm>

namespace fairlead::linkprobe {
namespace {

// Follows one direction probe by probe.
class Follower {
 public:
  explicit Follower(LossRun& run) : run_(run) {}

  void Passed() {
    ++run_.count.sent;
    length_ = 0;
  }
  void Lost() {
    ++run_.count.sent;
    ++run_.count.lost;
    run_.count.bursts += length_ == 0 ? 1 : 0;
    run_.longest = std::max(run_.longest, ++length_);
  }
  void Late() {
    Passed();
    ++run_.late;
  }

 private:
  LossRun& run_;
  std::uint64_t length_ = 0;
};

}  // namespace

LossRuns CountLosses(const ProbeLedger& ledger, MonotonicTime from) {
  LossRuns runs;
  const std::uint64_t first = ledger.FirstSentAfter(from);
  if (ledger.uneventful()) {
    const std::uint64_t kept = ledger.end() - first;
    runs.forward.count.sent = kept - std::min(kept, ledger.outstanding());
    runs.reverse.count.sent = runs.forward.count.sent;
    return runs;
  }
  Follower forward(runs.forward);
  Follower reverse(runs.reverse);
  for (std::uint64_t index = first; index < ledger.end(); ++index) {
    switch (ledger.at(index).fate) {
      case Fate::kAnswered:
        forward.Passed();
        reverse.Passed();
        break;
      case Fate::kLostForward:
        forward.Lost();
        break;
      case Fate::kLostReverse:
        forward.Passed();
        reverse.Lost();
        break;
      case Fate::kLateForward:
        forward.Late();
        reverse.Passed();
        break;
      case Fate::kLateReverse:
        forward.Passed();
        reverse.Late();
        break;
      case Fate::kLostUnknown:
        ++runs.unknown;
        break;
      case Fate::kOutstanding:
      case Fate::kNotSent:
      case Fate::kDiscarded:
        break;
    }
  }
  return runs;
}

}  // namespace fairlead::linkprobe
