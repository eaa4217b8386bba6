// The newest readings of all queries.
#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "common/base/clock.h"
#include "extender/link/external_reading.h"

namespace fairlead::extender {

// A reading stays until a newer one of the same query and line comes or it is stale, so that an
// answer that fails, or lacks a series for once, loses nothing. Pure; not thread-safe.
class ReadingBook {
 public:
  explicit ReadingBook(Nanoseconds stale_after) : stale_after_(stale_after) {}

  // `query` is its place in the configuration.
  void Put(std::size_t query, std::vector<ExternalReading> readings);

  // What is not stale, those of the first query first.
  ExternalReadings Current(MonotonicTime now);
  // How many of them are that query's.
  std::size_t Count(std::size_t query) const;

 private:
  const Nanoseconds stale_after_;
  std::map<std::pair<std::size_t, LinkKey>, ExternalReading> readings_;
};

}  // namespace fairlead::extender
