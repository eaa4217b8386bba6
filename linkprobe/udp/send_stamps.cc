#include "linkprobe/udp/send_stamps.h"

namespace fairlead::linkprobe {
namespace {

// What two clock readings a moment apart may disagree by.
constexpr Nanoseconds kReadingError = std::chrono::microseconds(50);

}  // namespace

void SendStampLedger::Sent(std::uint64_t token, MonotonicTime called) {
  Entry& entry = entries_[next_number_ % entries_.size()];
  if (!entry.open) ++waiting_;
  entry = Entry{token, next_number_, called, true};
  ++next_number_;
}

std::optional<std::uint64_t> SendStampLedger::Claim(std::uint32_t number, MonotonicTime stamp,
                                                    MonotonicTime now) {
  Entry& entry = entries_[number % entries_.size()];
  if (!entry.open || entry.number != number) return std::nullopt;
  entry.open = false;
  --waiting_;
  if (stamp + kReadingError < entry.called || stamp > now + kReadingError) return std::nullopt;
  return entry.token;
}

void SendStampLedger::Restart() {
  for (Entry& entry : entries_) entry.open = false;
  waiting_ = 0;
  next_number_ = 0;
}

}  // namespace fairlead::linkprobe
