#include "linkprobe/counter_files/number_file.h"

#include <limits>

#include "common/base/file.h"
#include "common/base/quote.h"
#include "common/units/number.h"

namespace fairlead::linkprobe {
namespace {

constexpr std::size_t kMostBytes = 64;

}  // namespace

Result<std::uint64_t> ReadNumberFile(const std::string& path) {
  const auto text = ReadFile(path, kMostBytes);
  if (!text) return Fail(text.error());
  std::string_view number = *text;
  while (!number.empty() && (number.back() == '\n' || number.back() == ' '))
    number.remove_suffix(1);
  const auto value = ParseCount(number, 0, std::numeric_limits<std::uint64_t>::max());
  if (value) return *value;
  return Fail(ErrorCode::kInvalidArgument,
              "read " + Quoted(path, 256) + ": holds " + Quoted(*text) + ", which is no number");
}

std::optional<std::uint32_t> ParsePortNumber(std::string_view name) {
  const auto number = ParseCount(name, 1, 255);
  if (!number) return std::nullopt;
  return static_cast<std::uint32_t>(*number);
}

std::optional<double> ParsePortRate(std::string_view text) {
  constexpr std::string_view kUnit = " Gb/sec";
  const std::size_t unit = text.find(kUnit);
  if (unit == std::string_view::npos) return std::nullopt;
  const auto gigabits = ParseNumber(text.substr(0, unit));
  if (!gigabits || *gigabits <= 0) return std::nullopt;
  return *gigabits * 1e9 / 8;
}

}  // namespace fairlead::linkprobe
