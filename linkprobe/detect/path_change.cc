#include "linkprobe/detect/path_change.h"

namespace fairlead::linkprobe {
namespace {

// Moves `known` to `seen` and says how, where both are known and differ.
std::string Follow(const char* direction, std::optional<std::uint32_t>& known,
                   std::optional<std::uint32_t> seen) {
  if (!seen) return {};
  const std::optional<std::uint32_t> before = known;
  known = seen;
  if (!before || *before == *seen) return {};
  return std::string(direction) + " hops " + std::to_string(*before) + " -> " +
         std::to_string(*seen);
}

}  // namespace

void PathChange::Note(std::optional<std::uint32_t> forward_hops,
                      std::optional<std::uint32_t> reverse_hops, MonotonicTime now) {
  std::string forward = Follow("forward", forward_, forward_hops);
  const std::string reverse = Follow("reverse", reverse_, reverse_hops);
  if (forward.empty() && reverse.empty()) return;
  if (!forward.empty() && !reverse.empty()) forward += ", ";
  what_ = forward + reverse;
  changed_ = now;
}

std::string PathChange::Within(Nanoseconds span, MonotonicTime now) const {
  return changed_ && now - *changed_ <= span ? what_ : std::string();
}

}  // namespace fairlead::linkprobe
