#include "extender/promql/reading_book.h"

#include <algorithm>

namespace fairlead::extender {

void ReadingBook::Put(std::size_t query, std::vector<ExternalReading> readings) {
  for (ExternalReading& reading : readings) {
    readings_.insert_or_assign({query, reading.key}, std::move(reading));
  }
}

ExternalReadings ReadingBook::Current(MonotonicTime now) {
  std::erase_if(readings_,
                [&](const auto& entry) { return now - entry.second.at >= stale_after_; });
  ExternalReadings current{.readings = {}, .stale_after = stale_after_};
  for (const auto& [key, reading] : readings_) current.readings.push_back(reading);
  return current;
}

std::size_t ReadingBook::Count(std::size_t query) const {
  return static_cast<std::size_t>(
      std::count_if(readings_.begin(), readings_.end(),
                    [query](const auto& entry) { return entry.first.first == query; }));
}

}  // namespace fairlead::extender
