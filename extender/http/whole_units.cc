#include "extender/http/whole_units.h"

#include <charconv>
#include <cstddef>
#include <system_error>
#include <utility>

namespace fairlead::extender {

std::optional<std::uint64_t> WholeUnits(std::string_view text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{}) return std::nullopt;
  const std::string_view suffix(rest, static_cast<std::size_t>(end - rest));
  constexpr std::pair<std::string_view, std::uint64_t> kSuffixes[] = {
      {"", 1}, {"k", 1000}, {"M", 1000000}, {"Ki", 1024}, {"Mi", 1048576}};
  for (const auto& [name, scale] : kSuffixes) {
    if (suffix != name) continue;
    if (number > UINT32_MAX) return std::nullopt;
    return number * scale;
  }
  return std::nullopt;
}

}  // namespace fairlead::extender
