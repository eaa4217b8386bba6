// What became of each probe, decided once and in one direction.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "common/base/clock.h"
#include "linkprobe/estimate/path_totals.h"
#include "linkprobe/wire/packet.h"

namespace fairlead::linkprobe {

enum class Fate : std::uint8_t {
  kOutstanding,
  kAnswered,
  kLostUnknown,  // given up; which way it was lost is not known (yet)
  kLostForward,
  kLostReverse,
  kLateForward,  // answered after it was given up; the probe itself had been slow
  kLateReverse,  // the same, but the probe had arrived in time
  kNotSent,
  kDiscarded,  // under way when the session ended
};

struct ProbeRecord {
  MonotonicTime sent{};
  std::int64_t t1 = 0;
  std::int64_t t2 = 0;
  Fate fate = Fate::kNotSent;
  bool t2_known = false;
  bool arrived = false;    // the responder has said so
  bool estimated = false;  // direction by the responder's counters: right in number, not in place
};

// Probes are numbered from 1 over all sessions ("index"); the sequence on the wire starts at 1 with
// each session. The newest `capacity`, rounded up to a power
// of two, are kept. A direction is final once told, so totals never
// fall; a reply after that makes the probe late, and a late probe is not lost.
class ProbeLedger {
 public:
  ProbeLedger(std::size_t capacity, PathTotals& totals);

  // Closes the session before: probes still under way are discarded; those lost in a direction not
  // known are discarded with `forgive`, else stay so for good.
  void StartSession(bool forgive);
  // The new probe's sequence on the wire.
  std::uint64_t Add(std::int64_t t1, MonotonicTime now);
  void MarkNotSent(std::uint64_t sequence);

  // Null for a sequence never sent in this session or too old to be kept.
  ProbeRecord* Find(std::uint64_t sequence);
  std::uint64_t IndexOf(std::uint64_t sequence) const { return session_base_ + sequence; }

  // A reply came. True when it was the first and in time.
  bool MarkAnswered(std::uint64_t sequence);
  // Gives up what was sent `timeout` ago or before.
  void TimeOut(MonotonicTime now, Nanoseconds timeout);
  // Reads the responder's bitmap and counters from a reply that was in time.
  void Learn(const Packet& reply);

  // Records by index, for those that count; begin() is the oldest kept, end() the next.
  std::uint64_t begin() const { return next_ > ring_.size() ? next_ - ring_.size() : 1; }
  std::uint64_t end() const { return next_; }
  std::uint64_t FirstSentAfter(MonotonicTime from) const;
  const ProbeRecord& at(std::uint64_t index) const { return ring_[index & (ring_.size() - 1)]; }
  // True when every probe kept is either answered or under way; then `outstanding` says all.
  bool uneventful() const { return eventful_ == 0; }
  std::uint64_t outstanding() const { return outstanding_; }

 private:
  ProbeRecord& Slot(std::uint64_t index) { return ring_[index & (ring_.size() - 1)]; }
  void SetFate(ProbeRecord& record, Fate fate);
  void NoteArrival(ProbeRecord& record);
  void Decide(ProbeRecord& record, bool arrived);
  void Retire(ProbeRecord& record);
  void SettleByCounters(std::uint64_t last, std::uint64_t arrived);
  void SwapEstimate(std::uint64_t index);

  std::vector<ProbeRecord> ring_;
  PathTotals& totals_;
  std::uint64_t next_ = 1;            // index of the next probe
  std::uint64_t session_base_ = 0;    // index = session_base_ + sequence
  std::uint64_t undecided_from_ = 1;  // no probe before it is outstanding
  MonotonicTime last_sent_{};
  std::uint64_t outstanding_ = 0;
  std::uint64_t eventful_ = 0;        // kept records that are neither answered nor outstanding
  std::uint64_t unknown_ = 0;         // kept records of this session lost in unknown direction
  std::uint64_t unknown_gone_ = 0;    // the same, no longer kept
  std::uint64_t arrivals_known_ = 0;  // probes of this session known to have arrived
};

}  // namespace fairlead::linkprobe
