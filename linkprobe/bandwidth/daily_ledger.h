// Which bytes have been spent on which line today.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "common/base/result.h"

namespace fairlead::linkprobe {

// A test reserves what it might send before it sends, and gives back afterwards what it did not; a
// program that dies in between has spent its reservation, so that no restart sends more than the
// limit. Pure; not thread-safe.
class DailyLedger {
 public:
  // Reserves up to `wanted` bytes of what `limit` leaves for the line on that day; how many.
  // Forgets days that are over.
  std::uint64_t Reserve(const std::string& line, std::int64_t day, std::uint64_t wanted,
                        std::uint64_t limit);
  // Gives back what of a reservation was not sent; a day that was forgotten meanwhile needs none.
  void Return(const std::string& line, std::int64_t day, std::uint64_t unused);

  std::uint64_t Spent(const std::string& line, std::int64_t day) const;

  // Bytes by line, by day.
  const std::map<std::int64_t, std::map<std::string, std::uint64_t>>& days() const { return days_; }

  // One line per day and line: "20787 123456 hk-sg". Names have no line break.
  std::string Format() const;
  // kInvalidArgument with the number of the first line that cannot be read: a ledger that cannot be
  // read must not count as empty.
  static Result<DailyLedger> Parse(std::string_view text);

 private:
  std::map<std::int64_t, std::map<std::string, std::uint64_t>> days_;
};

}  // namespace fairlead::linkprobe
