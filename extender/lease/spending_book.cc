#include "extender/lease/spending_book.h"

#include <limits>

namespace fairlead::extender {
namespace {

// A sum of what nodes say must not come round.
std::uint64_t Sum(std::uint64_t a, std::uint64_t b) {
  return a > std::numeric_limits<std::uint64_t>::max() - b
             ? std::numeric_limits<std::uint64_t>::max()
             : a + b;
}

}  // namespace

void SpendingBook::Told(const std::string& node, const std::vector<LineSpending>& spent) {
  for (const LineSpending& one : spent) told_[{one.day, one.line}][node] = one.bytes;
}

void SpendingBook::Promise(std::uint64_t lease_id, const std::string& line, std::int64_t first_day,
                           std::int64_t last_day, std::uint64_t bytes) {
  promised_[lease_id] = {
      .line = line, .first_day = first_day, .last_day = last_day, .bytes = bytes};
}

void SpendingBook::Answered(std::uint64_t lease_id) { promised_.erase(lease_id); }

void SpendingBook::KeepDays(std::int64_t first, std::int64_t last) {
  std::erase_if(told_, [&](const auto& entry) {
    const std::int64_t day = entry.first.first;
    return day < first || day > last;
  });
  std::erase_if(promised_, [&](const auto& entry) { return entry.second.last_day < first; });
}

std::uint64_t SpendingBook::Spent(const std::string& line, std::int64_t day) const {
  std::uint64_t sum = 0;
  if (const auto nodes = told_.find({day, line}); nodes != told_.end()) {
    for (const auto& [node, bytes] : nodes->second) sum = Sum(sum, bytes);
  }
  for (const auto& [id, promised] : promised_) {
    const bool then = promised.first_day <= day && day <= promised.last_day;
    if (then && promised.line == line) sum = Sum(sum, promised.bytes);
  }
  return sum;
}

std::uint64_t SpendingBook::ToldBy(const std::string& node, const std::string& line,
                                   std::int64_t day) const {
  const auto nodes = told_.find({day, line});
  if (nodes == told_.end()) return 0;
  const auto told = nodes->second.find(node);
  return told == nodes->second.end() ? 0 : told->second;
}

std::map<std::string, std::uint64_t> SpendingBook::OfDay(std::int64_t day) const {
  std::map<std::string, std::uint64_t> spent;
  for (const auto& [key, nodes] : told_) {
    if (key.first == day) spent[key.second] = 0;
  }
  for (const auto& [id, promised] : promised_) spent[promised.line] = 0;
  for (auto& [line, bytes] : spent) bytes = Spent(line, day);
  std::erase_if(spent, [](const auto& entry) { return entry.second == 0; });
  return spent;
}

}  // namespace fairlead::extender
