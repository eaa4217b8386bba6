#include "common/units/quantity.h"

#include <cstddef>
#include <limits>

#include "common/base/quote.h"

namespace fairlead {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::uint64_t kLargest = std::numeric_limits<std::int64_t>::max();

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

std::size_t CountDigits(std::string_view text) {
  std::size_t n = 0;
  while (n < text.size() && IsDigit(text[n])) ++n;
  return n;
}

// a * b + c, or false when that is more than kLargest.
bool MultiplyAdd(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t& out) {
  return !__builtin_mul_overflow(a, b, &out) && !__builtin_add_overflow(out, c, &out) &&
         out <= kLargest;
}

std::string UnitNames(const QuantityKind& kind) {
  std::string names;
  for (const Unit& unit : kind.units) {
    if (!names.empty()) names += ", ";
    names += unit.name;
  }
  return names;
}

tl::unexpected<Error> Refuse(const QuantityKind& kind, std::string_view text,
                             std::string_view fault) {
  return Fail(ErrorCode::kInvalidArgument, std::string(kind.what) + " " + Quoted(text) + " " +
                                               std::string(fault) + "; write it like " +
                                               std::string(kind.example));
}

const Unit* FindUnit(const QuantityKind& kind, std::string_view name) {
  for (const Unit& unit : kind.units) {
    if (unit.name == name) return &unit;
  }
  return nullptr;
}

}  // namespace

Result<std::uint64_t> ParseQuantity(const QuantityKind& kind, std::string_view text) {
  if (text.empty()) return Refuse(kind, text, "is empty");
  if (text.front() == '-') return Refuse(kind, text, "is negative");
  const std::size_t whole_digits = CountDigits(text);
  if (whole_digits == 0) return Refuse(kind, text, "does not start with a number");
  std::string_view rest = text.substr(whole_digits);
  std::string_view fraction;
  if (rest.starts_with('.')) {
    fraction = rest.substr(1, CountDigits(rest.substr(1)));
    if (fraction.empty()) return Refuse(kind, text, "has no digit after the point");
    rest.remove_prefix(1 + fraction.size());
  }
  if (rest.empty()) {
    return Refuse(kind, text, "has no unit (one of " + UnitNames(kind) + ")");
  }
  const Unit* unit = FindUnit(kind, rest);
  if (unit == nullptr) {
    return Refuse(kind, text,
                  "has the unknown unit " + Quoted(rest) + " (known: " + UnitNames(kind) + ")");
  }

  std::uint64_t value = 0;
  for (const char c : text.substr(0, whole_digits)) {
    if (!MultiplyAdd(value, 10, static_cast<std::uint64_t>(c - '0'), value)) {
      return Refuse(kind, text, "is too large");
    }
  }
  if (!MultiplyAdd(value, unit->scale, 0, value)) return Refuse(kind, text, "is too large");
  // The fraction digit by digit: what is left of the unit must divide by ten as long as there are
  // digits other than 0, or the value would not be a whole number of base units.
  while (fraction.ends_with('0')) fraction.remove_suffix(1);
  std::uint64_t numerator = 0;
  std::uint64_t denominator = 1;
  for (const char c : fraction) {
    if (!MultiplyAdd(denominator, 10, 0, denominator) ||
        !MultiplyAdd(numerator, 10, static_cast<std::uint64_t>(c - '0'), numerator)) {
      return Refuse(kind, text, "has too many digits after the point");
    }
  }
  const auto scaled = static_cast<Wide>(numerator) * unit->scale;
  if (scaled % denominator != 0) {
    return Refuse(kind, text, "is finer than 1 " + std::string(kind.units.front().name));
  }
  if (!MultiplyAdd(value, 1, static_cast<std::uint64_t>(scaled / denominator), value)) {
    return Refuse(kind, text, "is too large");
  }
  return value;
}

std::string FormatQuantity(const QuantityKind& kind, std::uint64_t value) {
  const Unit* best = &kind.units.front();
  for (const Unit& unit : kind.units) {
    if (value % unit.scale == 0 && value >= unit.scale) best = &unit;
  }
  return std::to_string(value / best->scale) + std::string(best->name);
}

}  // namespace fairlead
