#include "deviceplugin/doctor_facts/fact_text.h"

#include <algorithm>
#include <charconv>

#include "common/base/errno_text.h"
#include "common/base/quote.h"
#include "deviceplugin/discovery/attribute_reader.h"

namespace fairlead::deviceplugin {
namespace {

constexpr std::string_view kWhite = " \t\r\n";

}  // namespace

std::string WhyNot(const FileError& error) {
  return error.path + ": " + ErrnoText(error.error_number);
}

std::string_view Trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kWhite);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kWhite) - first + 1);
}

std::vector<std::string_view> LinesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

std::vector<std::string_view> WordsOf(std::string_view line) {
  std::vector<std::string_view> words;
  std::size_t at = line.find_first_not_of(kWhite);
  while (at != std::string_view::npos) {
    const std::size_t end = line.find_first_of(kWhite, at);
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(kWhite, end);
  }
  return words;
}

std::optional<std::uint64_t> ParseCount(std::string_view text) {
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  if (hex) text.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, hex ? 16 : 10);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Known<std::string> ReadLine(const HostFiles& files, const std::string& path) {
  const auto text = files.Read(path);
  if (!text) return Known<std::string>::Not(WhyNot(text.error()));
  const auto lines = LinesOf(*text);
  std::string line(lines.empty() ? "" : Trimmed(lines.front()));
  std::replace(line.begin(), line.end(), '\t', ' ');  // sysctls of several numbers
  if (AttributeReader::IsText(line)) return line;
  return Known<std::string>::Not(path + " says " + Quoted(line, 40));
}

Known<std::uint64_t> ReadCount(const HostFiles& files, const std::string& path) {
  const auto line = ReadLine(files, path);
  if (!line) return Known<std::uint64_t>::Not(line.why_not());
  if (const auto value = ParseCount(*line)) return *value;
  return Known<std::uint64_t>::Not(path + " says " + Quoted(*line, 40) + ", which is no number");
}

}  // namespace fairlead::deviceplugin
