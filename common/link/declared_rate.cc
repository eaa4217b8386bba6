#include "common/link/declared_rate.h"

namespace fairlead {

DeclaredRateDoubt JudgeDeclaredRate(const LineRates& rates) {
  if (!rates.declared) return DeclaredRateDoubt::kAbsent;
  if (*rates.declared <= 0) return DeclaredRateDoubt::kZero;
  if (rates.used.value_or(0) >= kDeclaredRateFactor * *rates.declared ||
      rates.capacity.value_or(0) >= kDeclaredRateFactor * *rates.declared) {
    return DeclaredRateDoubt::kExceeded;
  }
  if (rates.capacity && *rates.capacity > 0 &&
      *rates.capacity * kDeclaredRateFactor <= *rates.declared) {
    return DeclaredRateDoubt::kNotReached;
  }
  return DeclaredRateDoubt::kNone;
}

std::string_view DeclaredRateDoubtName(DeclaredRateDoubt doubt) {
  switch (doubt) {
    case DeclaredRateDoubt::kNone:
      return "none";
    case DeclaredRateDoubt::kAbsent:
      return "absent";
    case DeclaredRateDoubt::kZero:
      return "zero";
    case DeclaredRateDoubt::kExceeded:
      return "exceeded";
    case DeclaredRateDoubt::kNotReached:
      return "not_reached";
  }
  return "";
}

}  // namespace fairlead
