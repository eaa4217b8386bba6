// Whether what is declared for a line can be true.
#pragma once

#include <optional>
#include <string_view>

namespace fairlead {

enum class DeclaredRateDoubt {
  kNone,
  kAbsent,      // nothing is declared, so a line's use can't be told as a share
  kZero,        // 0 is declared
  kExceeded,    // ten times as much as declared was carried or measured
  kNotReached,  // a tenth of what is declared was measured as the line's capacity
};

// Traffic is seen at ports, which have more to carry than one line. So only a measured capacity can
// call a declaration too large, and traffic that is ten times a declaration speaks against it or
// has stayed inside the site. All in bytes per second; absent is not known. Pure.
struct LineRates {
  std::optional<double> declared{};
  std::optional<double> used{};      // at most: what ports at its ends carried
  std::optional<double> capacity{};  // measured by a test of the line
};
inline constexpr double kDeclaredRateFactor = 10;
DeclaredRateDoubt JudgeDeclaredRate(const LineRates& rates);

// "none", "absent", "zero", "exceeded", "not_reached".
std::string_view DeclaredRateDoubtName(DeclaredRateDoubt doubt);

}  // namespace fairlead
