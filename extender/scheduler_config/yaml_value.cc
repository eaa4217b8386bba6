#include "extender/scheduler_config/yaml_value.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace fairlead::extender {
namespace {

constexpr std::array<std::string_view, 11> kYes{"y",    "Y",    "yes", "Yes", "YES", "true",
                                                "True", "TRUE", "on",  "On",  "ON"};
constexpr std::array<std::string_view, 11> kNo{"n",     "N",     "no",  "No",  "NO", "false",
                                               "False", "FALSE", "off", "Off", "OFF"};
constexpr std::array<std::string_view, 5> kNull{"", "~", "null", "Null", "NULL"};
constexpr std::array<std::string_view, 12> kNoNumbers{".nan",  ".NaN",  ".NAN",  ".inf",
                                                      ".Inf",  ".INF",  "+.inf", "+.Inf",
                                                      "+.INF", "-.inf", "-.Inf", "-.INF"};

template <typename Words>
bool In(const Words& words, std::string_view text) {
  return std::ranges::find(words, text) != words.end();
}

struct Whole {
  bool negative = false;
  std::uint64_t amount = 0;
};

// As Go's strconv.ParseInt and ParseUint read it with base 0, underscores taken out.
std::optional<Whole> ParseWhole(std::string_view written) {
  std::string text(written);
  std::erase(text, '_');
  std::string_view rest = text;
  Whole whole;
  const bool sign = rest.starts_with('+') || rest.starts_with('-');
  whole.negative = rest.starts_with('-');
  if (sign) rest.remove_prefix(1);
  int base = 10;
  if (rest.size() > 1 && rest[0] == '0') {
    const char letter = static_cast<char>(rest[1] | 0x20);
    base = letter == 'x' ? 16 : letter == 'b' ? 2 : 8;
    rest.remove_prefix(letter == 'x' || letter == 'b' || letter == 'o' ? 2 : 1);
  }
  const char* const end = rest.data() + rest.size();
  const auto [stop, error] = std::from_chars(rest.data(), end, whole.amount, base);
  if (error != std::errc{} || stop != end) return std::nullopt;
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  if (whole.amount > kMost + (whole.negative ? 1 : sign ? 0 : kMost + 1)) return std::nullopt;
  return whole;
}

// Takes digits off the front; how many.
std::size_t Digits(std::string_view& text) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto end = std::ranges::find_if_not(text, digit);
  const auto count = static_cast<std::size_t>(end - text.begin());
  text.remove_prefix(count);
  return count;
}

bool IsFraction(std::string_view text) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  const std::size_t before = Digits(text);
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    if (Digits(text) == 0 && before == 0) return false;
  } else if (before == 0) {
    return false;
  }
  if (text.empty()) return true;
  if (text[0] != 'e' && text[0] != 'E') return false;
  text.remove_prefix(1);
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  return Digits(text) > 0 && text.empty();
}

double ParseFraction(std::string text) {
  std::erase(text, '_');
  return std::strtod(text.c_str(), nullptr);
}

}  // namespace

const YamlValue* YamlValue::Find(std::string_view key) const {
  const YamlValue* found = nullptr;
  for (const auto& [name, value] : members) {
    if (name.text == key) found = &value;
  }
  return found;
}

Scalars YamlValue::ScalarsInside() const {
  Scalars scalars;
  for (const auto& [key, value] : members) {
    if (value.scalar.type == YamlType::kNull) continue;
    scalars[key.text] = {.text = value.scalar.text, .line = key.line, .type = value.scalar.type};
  }
  return scalars;
}

YamlType ResolvePlain(std::string_view text) {
  if (In(kNull, text)) return YamlType::kNull;
  if (In(kYes, text) || In(kNo, text)) return YamlType::kFlag;
  if (In(kNoNumbers, text)) return YamlType::kFraction;
  const bool point = text[0] == '.';
  if (!point && text[0] != '+' && text[0] != '-' && (text[0] < '0' || text[0] > '9')) {
    return YamlType::kText;
  }
  if (!point && ParseWhole(text)) return YamlType::kWhole;
  std::string plain(text);
  if (!point) std::erase(plain, '_');
  const bool fraction = IsFraction(plain) && std::isfinite(ParseFraction(plain));
  return fraction ? YamlType::kFraction : YamlType::kText;
}

std::optional<bool> ReadFlag(const Scalar& value) {
  if (value.type != YamlType::kFlag) return std::nullopt;
  return In(kYes, value.text);
}

std::optional<std::int64_t> ReadInteger(const Scalar& value) {
  if (value.type == YamlType::kWhole) {
    const auto whole = ParseWhole(value.text);
    constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
    if (!whole || whole->amount > kMost) return std::nullopt;
    const auto amount = static_cast<std::int64_t>(whole->amount);
    return whole->negative ? -amount : amount;
  }
  if (value.type != YamlType::kFraction || In(kNoNumbers, value.text)) return std::nullopt;
  const double number = ParseFraction(value.text);
  constexpr double kExact = 9007199254740992.0;  // 2^53
  if (number != std::trunc(number) || std::fabs(number) > kExact) return std::nullopt;
  return static_cast<std::int64_t>(number);
}

}  // namespace fairlead::extender
