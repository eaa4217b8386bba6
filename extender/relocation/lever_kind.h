// By what a gang can be stopped and started as a whole.
#pragma once

#include <array>
#include <string_view>

namespace fairlead::extender {

enum class LeverKind {
  kSuspend,  // spec.suspend, or spec.runPolicy.suspend, of the owner: true, then false
  kKueue,    // spec.active of the owner's Workload: false, then true
  kVolcano,  // a Command RestartJob
  kEvict,    // Eviction of every member
};

inline constexpr std::array kAllLevers{LeverKind::kSuspend, LeverKind::kKueue, LeverKind::kVolcano,
                                       LeverKind::kEvict};

// "suspend", "kueue", "volcano", "evict".
constexpr std::string_view LeverName(LeverKind lever) {
  switch (lever) {
    case LeverKind::kSuspend:
      return "suspend";
    case LeverKind::kKueue:
      return "kueue";
    case LeverKind::kVolcano:
      return "volcano";
    case LeverKind::kEvict:
      return "evict";
  }
  return "";
}

}  // namespace fairlead::extender
