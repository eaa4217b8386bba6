#include "extender/cost/communication_profile.h"

#include <array>
#include <cstddef>

namespace fairlead::extender {
namespace {

constexpr std::array<std::string_view, 5> kNames{"allreduce", "hierarchical", "pipeline",
                                                 "localsgd", "tree"};

}  // namespace

std::string_view CommPatternName(CommPattern pattern) {
  return kNames[static_cast<std::size_t>(pattern)];
}

std::optional<CommPattern> ParseCommPattern(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<CommPattern>(i);
  }
  return std::nullopt;
}

}  // namespace fairlead::extender
