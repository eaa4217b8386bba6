#include "extender/cluster/quantity.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

namespace fairlead::extender {
namespace {

__extension__ typedef unsigned __int128 Wide;

// Digits beyond so many only round up. With them, "Ei" stays within 128 bits.
constexpr int kMostDigits = 18;
constexpr Wide kMost = static_cast<Wide>(kMostAmount);
// As good as any larger exponent, and far from where digits counted on top would overflow.
constexpr int kMostTens = 1'000'000'000;

struct Suffix {
  std::string_view name;
  int tens = 0;  // powers of ten
  int bits = 0;  // powers of two
};

constexpr std::array<Suffix, 16> kSuffixes{{{"n", -9, 0},
                                            {"u", -6, 0},
                                            {"m", -3, 0},
                                            {"", 0, 0},
                                            {"k", 3, 0},
                                            {"M", 6, 0},
                                            {"G", 9, 0},
                                            {"T", 12, 0},
                                            {"P", 15, 0},
                                            {"E", 18, 0},
                                            {"Ki", 0, 10},
                                            {"Mi", 0, 20},
                                            {"Gi", 0, 30},
                                            {"Ti", 0, 40},
                                            {"Pi", 0, 50},
                                            {"Ei", 0, 60}}};

std::optional<Suffix> ParseSuffix(std::string_view text) {
  const auto known = std::ranges::find(kSuffixes, text, &Suffix::name);
  if (known != kSuffixes.end()) return *known;
  if (text.size() < 2 || (text[0] != 'e' && text[0] != 'E')) return std::nullopt;
  const bool plus = text[1] == '+';
  text.remove_prefix(plus ? 2 : 1);
  if (plus && text.starts_with('-')) return std::nullopt;
  Suffix exponent;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exponent.tens);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  exponent.tens = std::clamp(exponent.tens, -kMostTens, kMostTens);
  return exponent;
}

}  // namespace

std::optional<std::int64_t> ParseAmount(std::string_view text, std::int64_t scale) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
  const std::string_view number = text.substr(0, end);
  const std::optional<Suffix> suffix = ParseSuffix(text.substr(end));
  if (!suffix || number.find_first_of("0123456789") == std::string_view::npos) return std::nullopt;
  if (std::ranges::count(number, '.') > 1) return std::nullopt;

  Wide value = 0;
  int tens = suffix->tens;
  bool fraction = false;
  bool rest = false;  // something was left out
  int digits = 0;
  for (const char c : number) {
    if (c == '.') {
      fraction = true;
      continue;
    }
    if (digits == kMostDigits) {
      rest |= c != '0';
      tens += fraction ? 0 : 1;
      continue;
    }
    value = value * 10 + static_cast<Wide>(c - '0');
    digits += value != 0 ? 1 : 0;
    tens -= fraction ? 1 : 0;
  }
  if (value == 0) return 0;
  const auto grow = [&](Wide factor) {
    value = value > ~Wide{0} / factor ? ~Wide{0} : value * factor;
  };
  grow(static_cast<Wide>(scale));
  grow(Wide{1} << suffix->bits);
  for (; tens < 0 && value > 0; ++tens) {
    rest |= value % 10 != 0;
    value /= 10;
  }
  for (; tens > 0 && value > 0 && value < kMost; --tens) grow(10);
  value = std::min(value, kMost);
  if (rest && value < kMost) ++value;
  return static_cast<std::int64_t>(value);
}

}  // namespace fairlead::extender
