#include "deviceplugin/discovery/attribute_reader.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>

#include "common/base/quote.h"

namespace fairlead::deviceplugin {
namespace {

constexpr std::string_view kWhite = " \t\n";

std::string Trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(kWhite);
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(kWhite) - first + 1);
}

}  // namespace

bool AttributeReader::IsText(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7f; });
}

void AttributeReader::ReportOdd(const std::string& path, const std::string& text) {
  Report(Quoted(path, 256) + " says " + Quoted(text, 40) + ", which means nothing here.");
}

std::optional<std::string> AttributeReader::Line(const std::string& path,
                                                 const FileResult<std::string>& text,
                                                 bool (*expected)(int)) {
  if (!text) {
    if (!expected(text.error().error_number)) Report(Describe(text.error()));
    return std::nullopt;
  }
  std::string line = Trimmed(*text);
  if (IsText(line)) return line;
  ReportOdd(path, line);
  return std::nullopt;
}

std::optional<std::string> AttributeReader::TextUnless(const std::string& path,
                                                       bool (*expected)(int)) {
  return TextUnless(path, files_.Read(path), expected);
}

std::optional<std::string> AttributeReader::TextUnless(const std::string& path,
                                                       const FileResult<std::string>& text,
                                                       bool (*expected)(int)) {
  std::optional<std::string> line = Line(path, text, expected);
  if (!line || !line->empty()) return line;
  Report(Quoted(path, 256) + " is empty.");
  return std::nullopt;
}

std::optional<std::string> AttributeReader::Text(const std::string& path) {
  return TextUnless(path, [](int) { return false; });
}

std::optional<std::string> AttributeReader::TextIfAny(const std::string& path) {
  std::optional<std::string> line =
      Line(path, files_.Read(path), [](int error) { return error == ENOENT || error == ENOTDIR; });
  if (line && line->empty()) return std::nullopt;
  return line;
}

}  // namespace fairlead::deviceplugin
