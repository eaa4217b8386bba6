// Notices that packets take another path.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "common/base/clock.h"

namespace fairlead::linkprobe {

// Follows the hop counts of both directions; a count that is not known changes nothing.
class PathChange {
 public:
  void Note(std::optional<std::uint32_t> forward_hops, std::optional<std::uint32_t> reverse_hops,
            MonotonicTime now);
  // What changed within the last `span`, for example "forward hops 3 -> 5"; empty if nothing did.
  std::string Within(Nanoseconds span, MonotonicTime now) const;

 private:
  std::optional<std::uint32_t> forward_;
  std::optional<std::uint32_t> reverse_;
  std::optional<MonotonicTime> changed_;
  std::string what_;
};

}  // namespace fairlead::linkprobe
