// Which bytes tests have cost each line, all nodes together.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "extender/lease/lease.h"

namespace fairlead::extender {

// What is promised to a lease counts until its node has said what it spent, on both days where
// midnight lies within. Pure, not thread-safe.
class SpendingBook {
 public:
  // What the node said last replaces what it said before; a report says the spending of a lease
  // with or before its answer.
  void Told(const std::string& node, const std::vector<LineSpending>& spent);
  void Promise(std::uint64_t lease_id, const std::string& line, std::int64_t first_day,
               std::int64_t last_day, std::uint64_t bytes);
  void Answered(std::uint64_t lease_id);
  // Keeps what concerns the days from `first` to `last`; no probe's clock is further off.
  void KeepDays(std::int64_t first, std::int64_t last);

  std::uint64_t Spent(const std::string& line, std::int64_t day) const;
  // Of that, what the node itself has said.
  std::uint64_t ToldBy(const std::string& node, const std::string& line, std::int64_t day) const;
  // Every line with bytes on that day.
  std::map<std::string, std::uint64_t> OfDay(std::int64_t day) const;

 private:
  struct Promised {
    std::string line;
    std::int64_t first_day;
    std::int64_t last_day;
    std::uint64_t bytes;
  };
  using DayAndLine = std::pair<std::int64_t, std::string>;

  std::map<DayAndLine, std::map<std::string, std::uint64_t>> told_;  // by node
  std::map<std::uint64_t, Promised> promised_;                       // by lease
};

}  // namespace fairlead::extender
