#include "deviceplugin/doctor_facts/firmware_text.h"

#include <algorithm>

#include "deviceplugin/doctor_facts/fact_text.h"

namespace fairlead::deviceplugin {
namespace {

bool IsSettingName(std::string_view word) {
  return word.size() > 2 && std::all_of(word.begin(), word.end(), [](char c) {
           return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '[' ||
                  c == ']';
         });
}

bool Mentions(std::string_view line, std::string_view word) {
  return line.find(word) != std::string_view::npos;
}

}  // namespace

Known<std::map<std::string, FirmwareSetting>> ParseFirmwareSettings(std::string_view text) {
  using Settings = std::map<std::string, FirmwareSetting>;
  Settings settings;
  bool in_table = false;
  bool has_current = false;
  for (const std::string_view line : LinesOf(text)) {
    if (Mentions(line, "Configurations:")) {
      in_table = true;
      has_current = Mentions(line, "Current");
      continue;
    }
    if (!in_table) continue;
    auto words = WordsOf(line);
    // "*" marks what differs, "RO" what cannot be set.
    while (!words.empty() && (words.front() == "*" || words.front() == "RO")) {
      words.erase(words.begin());
    }
    if (words.empty() || !IsSettingName(words.front())) continue;
    const std::size_t columns = has_current ? 3 : 1;
    // A value of several words cannot be told from its neighbours.
    if (words.size() != columns + 1) continue;
    FirmwareSetting& setting = settings[std::string(words.front())];
    setting.next_boot = words.back();
    if (has_current) setting.current = words[2];
  }
  if (settings.empty()) return Known<Settings>::Not("the tool's output holds no setting");
  return settings;
}

Known<std::map<std::string, std::uint32_t>> ParseRegister(std::string_view text) {
  using Fields = std::map<std::string, std::uint32_t>;
  Fields fields;
  for (const std::string_view line : LinesOf(text)) {
    const std::size_t bar = line.find('|');
    if (bar == std::string_view::npos) continue;
    const std::string_view name = Trimmed(line.substr(0, bar));
    const auto value = ParseCount(Trimmed(line.substr(bar + 1)));
    if (!name.empty() && value && *value <= 0xffffffff) {
      fields[std::string(name)] = static_cast<std::uint32_t>(*value);
    }
  }
  if (fields.empty()) return Known<Fields>::Not("the tool's output holds no field");
  return fields;
}

}  // namespace fairlead::deviceplugin
