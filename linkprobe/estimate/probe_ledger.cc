#include "linkprobe/estimate/probe_ledger.h"

#include <algorithm>
#include <bit>

namespace fairlead::linkprobe {
namespace {

constexpr std::uint64_t kBitmapSpan = 64;

bool IsEventful(Fate fate) { return fate != Fate::kAnswered && fate != Fate::kOutstanding; }

// Hands out `wanted` of `of` evenly over `of` calls.
class EvenShare {
 public:
  EvenShare(std::uint64_t wanted, std::uint64_t of) : wanted_(wanted), of_(of) {}
  bool Next() {
    sum_ += wanted_;
    if (sum_ < of_) return false;
    sum_ -= of_;
    return true;
  }

 private:
  std::uint64_t wanted_;
  std::uint64_t of_;
  std::uint64_t sum_ = 0;
};

}  // namespace

ProbeLedger::ProbeLedger(std::size_t capacity, PathTotals& totals)
    : ring_(std::bit_ceil(std::max<std::size_t>(capacity, 2 * kBitmapSpan))), totals_(totals) {}

void ProbeLedger::SetFate(ProbeRecord& record, Fate fate) {
  outstanding_ -= record.fate == Fate::kOutstanding ? 1 : 0;
  unknown_ -= record.fate == Fate::kLostUnknown ? 1 : 0;
  eventful_ -= IsEventful(record.fate) ? 1 : 0;
  record.fate = fate;
  outstanding_ += fate == Fate::kOutstanding ? 1 : 0;
  unknown_ += fate == Fate::kLostUnknown ? 1 : 0;
  eventful_ += IsEventful(fate) ? 1 : 0;
}

void ProbeLedger::NoteArrival(ProbeRecord& record) {
  if (record.arrived) return;
  record.arrived = true;
  ++arrivals_known_;
}

void ProbeLedger::Decide(ProbeRecord& record, bool arrived) {
  if (arrived) {
    NoteArrival(record);
    SetFate(record, Fate::kLostReverse);
    ++totals_.lost_reverse;
  } else {
    SetFate(record, Fate::kLostForward);
    ++totals_.lost_forward;
  }
}

void ProbeLedger::StartSession(bool forgive) {
  for (std::uint64_t index = std::max(begin(), session_base_ + 1); index < next_; ++index) {
    ProbeRecord& record = Slot(index);
    if (record.fate == Fate::kOutstanding || (record.fate == Fate::kLostUnknown && forgive)) {
      SetFate(record, Fate::kDiscarded);
      ++totals_.discarded;
    }
  }
  (forgive ? totals_.discarded : totals_.lost_unknown) += unknown_gone_;
  if (!forgive) totals_.lost_unknown += unknown_;
  unknown_ = 0;
  unknown_gone_ = 0;
  arrivals_known_ = 0;
  session_base_ = next_ - 1;
  undecided_from_ = next_;
}

// A record is about to be overwritten. A probe so old that it is still under way is given up.
void ProbeLedger::Retire(ProbeRecord& record) {
  if (record.fate == Fate::kOutstanding) SetFate(record, Fate::kLostUnknown);
  if (record.fate == Fate::kLostUnknown) ++unknown_gone_;
  SetFate(record, Fate::kAnswered);
}

std::uint64_t ProbeLedger::Add(std::int64_t t1, MonotonicTime now) {
  ProbeRecord& record = Slot(next_);
  if (next_ > ring_.size()) {
    const std::uint64_t old = next_ - ring_.size();
    if (old > session_base_) {
      Retire(record);
    } else {
      // Its session is closed, and unknown_ counts this session only.
      if (record.fate == Fate::kLostUnknown) record.fate = Fate::kDiscarded;
      SetFate(record, Fate::kAnswered);
    }
  }
  last_sent_ = std::max(last_sent_, now);
  record = ProbeRecord{.sent = last_sent_, .t1 = t1, .fate = Fate::kAnswered};
  SetFate(record, Fate::kOutstanding);
  ++totals_.sent;
  return next_++ - session_base_;
}

ProbeRecord* ProbeLedger::Find(std::uint64_t sequence) {
  // Compared without adding first: a peer chooses the sequence.
  if (sequence == 0 || sequence >= next_ - session_base_) return nullptr;
  const std::uint64_t index = session_base_ + sequence;
  return index < begin() ? nullptr : &Slot(index);
}

void ProbeLedger::MarkNotSent(std::uint64_t sequence) {
  ProbeRecord* record = Find(sequence);
  if (record == nullptr || record->fate != Fate::kOutstanding) return;
  SetFate(*record, Fate::kNotSent);
  --totals_.sent;
  ++totals_.send_failed;
}

bool ProbeLedger::MarkAnswered(std::uint64_t sequence) {
  ProbeRecord* record = Find(sequence);
  if (record == nullptr) return false;
  const Fate before = record->fate;
  const bool had_arrived = record->arrived;
  switch (before) {
    case Fate::kOutstanding:
      NoteArrival(*record);
      SetFate(*record, Fate::kAnswered);
      return true;
    case Fate::kLostUnknown:
    case Fate::kLostForward:
    case Fate::kLostReverse:
      if (record->estimated && before == Fate::kLostForward) SwapEstimate(IndexOf(sequence));
      NoteArrival(*record);
      SetFate(*record, had_arrived ? Fate::kLateReverse : Fate::kLateForward);
      ++totals_.late;
      return false;
    case Fate::kAnswered:
    case Fate::kLateForward:
    case Fate::kLateReverse:
    case Fate::kNotSent:
    case Fate::kDiscarded:
      return false;
  }
  return false;
}

// The counters said how many of a gap arrived, not which. One that was taken for lost on its way
// forward has just come back, so another one of that gap takes its place.
void ProbeLedger::SwapEstimate(std::uint64_t index) {
  for (std::uint64_t other = std::max(begin(), session_base_ + 1); other < next_; ++other) {
    ProbeRecord& record = Slot(other);
    if (other == index || !record.estimated || record.fate != Fate::kLostReverse) continue;
    record.arrived = false;
    --arrivals_known_;
    SetFate(record, Fate::kLostForward);
    return;
  }
}

void ProbeLedger::TimeOut(MonotonicTime now, Nanoseconds timeout) {
  undecided_from_ = std::max(undecided_from_, begin());
  for (; undecided_from_ < next_; ++undecided_from_) {
    ProbeRecord& record = Slot(undecided_from_);
    if (now - record.sent < timeout) return;
    if (record.fate != Fate::kOutstanding) continue;
    if (record.arrived) {
      Decide(record, true);
    } else {
      SetFate(record, Fate::kLostUnknown);
    }
  }
}

void ProbeLedger::Learn(const Packet& reply) {
  const std::uint64_t highest = reply.sequence + reply.rx_ahead;
  if (Find(reply.sequence) == nullptr || highest >= next_ - session_base_) return;
  for (std::uint64_t i = 0; i < kBitmapSpan && i < highest; ++i) {
    ProbeRecord* record = Find(highest - i);
    if (record == nullptr) break;
    if (record->fate == Fate::kNotSent) continue;
    const bool arrived = (reply.rx_bitmap >> i & 1) != 0;
    if (record->fate == Fate::kLostUnknown) {
      Decide(*record, arrived || record->arrived);
    } else if (arrived) {
      NoteArrival(*record);
    }
  }
  const auto recent = static_cast<std::uint64_t>(std::popcount(reply.rx_bitmap));
  if (unknown_ + unknown_gone_ == 0 || highest <= kBitmapSpan || reply.responder_rx < recent)
    return;
  SettleByCounters(session_base_ + highest - kBitmapSpan, reply.responder_rx - recent);
}

// Of this session's probes up to index `last`, `arrived` have reached the responder.
void ProbeLedger::SettleByCounters(std::uint64_t last, std::uint64_t arrived) {
  std::uint64_t unknown = unknown_gone_;
  std::uint64_t arrivals = arrivals_known_;
  for (std::uint64_t index = std::max(begin(), session_base_ + 1); index < next_; ++index) {
    const ProbeRecord& record = Slot(index);
    if (index > last) {
      arrivals -= record.arrived ? 1 : 0;
      continue;
    }
    // One still under way may be among the arrivals: too early to tell.
    if (record.fate == Fate::kOutstanding && !record.arrived) return;
    unknown += record.fate == Fate::kLostUnknown ? 1 : 0;
  }
  if (unknown == 0) return;
  const std::uint64_t more = std::min(unknown, arrived > arrivals ? arrived - arrivals : 0);
  EvenShare reverse(more, unknown);
  for (; unknown_gone_ > 0; --unknown_gone_) {
    const bool came = reverse.Next();
    ++(came ? totals_.lost_reverse : totals_.lost_forward);
    arrivals_known_ += came ? 1 : 0;
  }
  for (std::uint64_t index = std::max(begin(), session_base_ + 1); index < next_ && index <= last;
       ++index) {
    ProbeRecord& record = Slot(index);
    if (record.fate != Fate::kLostUnknown) continue;
    record.estimated = true;
    Decide(record, reverse.Next());
  }
}

std::uint64_t ProbeLedger::FirstSentAfter(MonotonicTime from) const {
  std::uint64_t low = begin();
  std::uint64_t high = end();
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (at(middle).sent > from) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

}  // namespace fairlead::linkprobe
