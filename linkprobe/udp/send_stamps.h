// Which send a numbered kernel stamp belongs to.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "common/base/clock.h"

namespace fairlead::linkprobe {

// Remembers the newest sends of one socket by the number the kernel will give their stamps. An old
// entry is overwritten, its stamp then goes unclaimed. Not thread-safe.
class SendStampLedger {
 public:
  void Sent(std::uint64_t token, MonotonicTime called);

  // The token of send `number`, if it is still remembered and `stamp` lies between the call that
  // sent it and `now`. Each is handed out once.
  std::optional<std::uint64_t> Claim(std::uint32_t number, MonotonicTime stamp, MonotonicTime now);

  // Forgets all; the next send has number zero.
  void Restart();

  // Whether a stamp is still to come.
  bool waiting() const { return waiting_ > 0; }

 private:
  struct Entry {
    std::uint64_t token = 0;
    std::uint32_t number = 0;
    MonotonicTime called{};
    bool open = false;
  };

  std::array<Entry, 64> entries_{};
  std::uint32_t next_number_ = 0;
  std::size_t waiting_ = 0;
};

}  // namespace fairlead::linkprobe
