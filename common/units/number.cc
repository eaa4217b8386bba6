#include "common/units/number.h"

#include <charconv>
#include <cmath>
#include <string>

#include "common/base/quote.h"

namespace fairlead {
namespace {

template <class Number>
bool ReadWhole(std::string_view text, Number& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size();
}

bool ReadFinite(std::string_view text, double& out) {
  return ReadWhole(text, out) && std::isfinite(out);
}

}  // namespace

Result<double> ParseNumber(std::string_view text) {
  double value = 0;
  if (!ReadFinite(text, value)) {
    return Fail(ErrorCode::kInvalidArgument,
                Quoted(text) + " is not a number; write it like 10 or 0.5");
  }
  return value;
}

Result<std::uint64_t> ParseCount(std::string_view text, std::uint64_t least, std::uint64_t most) {
  std::uint64_t value = 0;
  if (!ReadWhole(text, value) || value < least || value > most) {
    return Fail(ErrorCode::kInvalidArgument, Quoted(text) + " is not a whole number from " +
                                                 std::to_string(least) + " to " +
                                                 std::to_string(most));
  }
  return value;
}

bool HasLeadingZero(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return text.size() > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9';
}

Result<double> ParseRatio(std::string_view text) {
  const bool percent = text.ends_with('%');
  double value = 0;
  if (!ReadFinite(percent ? text.substr(0, text.size() - 1) : text, value)) {
    return Fail(ErrorCode::kInvalidArgument,
                "ratio " + Quoted(text) + " is not a number; write it like 3% or 0.03");
  }
  if (percent) value /= 100;
  if (value < 0 || value > 1) {
    return Fail(ErrorCode::kInvalidArgument,
                "ratio " + Quoted(text) + " is outside 0..1; 3% is written 3% or 0.03");
  }
  return value;
}

}  // namespace fairlead
