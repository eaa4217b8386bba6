// Columns of text.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace fairlead::deviceplugin {

// Cells in columns as wide as their widest cell, two spaces apart; "-" for an empty cell, nothing
// behind the last one of a row. Widths count bytes: what is shown here is ASCII but for names that
// devices give themselves.
class TextTable {
 public:
  void Row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  bool empty() const { return rows_.empty(); }

  // Each row on a line of its own behind `indent` spaces.
  std::string Text(std::size_t indent = 0) const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

// "a, b, c".
std::string JoinWords(const std::vector<std::string>& words);

}  // namespace fairlead::deviceplugin
