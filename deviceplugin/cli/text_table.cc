#include "deviceplugin/cli/text_table.h"

#include <algorithm>

namespace fairlead::deviceplugin {

std::string TextTable::Text(std::size_t indent) const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()), 1);
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows_) {
    text.append(indent, ' ');
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string cell = row[i].empty() ? "-" : row[i];
      text += cell;
      if (i + 1 < row.size()) text.append(widths[i] + 2 - cell.size(), ' ');
    }
    text += "\n";
  }
  return text;
}

std::string JoinWords(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    if (word.empty()) continue;
    if (!line.empty()) line += ", ";
    line += word;
  }
  return line;
}

}  // namespace fairlead::deviceplugin
