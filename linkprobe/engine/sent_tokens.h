// What a send stamp's token stands for.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace fairlead::linkprobe {

struct SentPacket {
  bool reply = false;
  std::uint64_t session_id = 0;
  std::uint8_t path = 0;
  std::uint64_t sequence = 0;
};

// Numbers packets and remembers the newest 1024 of them. Not thread-safe.
class SentTokens {
 public:
  std::uint64_t Remember(const SentPacket& packet) {
    const std::uint64_t token = next_++;
    entries_[token % entries_.size()] = Entry{token, packet};
    return token;
  }
  std::optional<SentPacket> Find(std::uint64_t token) const {
    const Entry& entry = entries_[token % entries_.size()];
    if (entry.token != token) return std::nullopt;
    return entry.packet;
  }

 private:
  struct Entry {
    std::uint64_t token = 0;
    SentPacket packet;
  };

  std::uint64_t next_ = 1;
  std::array<Entry, 1024> entries_{};
};

}  // namespace fairlead::linkprobe
