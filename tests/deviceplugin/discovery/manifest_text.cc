#include "tests/deviceplugin/discovery/manifest_text.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <map>
#include <numeric>
#include <sstream>
#include <stdexcept>

namespace fairlead::deviceplugin {
namespace {

using Lines = std::vector<std::string>;

[[noreturn]] void Refuse(const std::string& line, const std::string& why) {
  throw std::runtime_error("manifest line \"" + line + "\": " + why);
}

std::string Trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

Lines Words(const std::string& text) {
  Lines words;
  std::istringstream in(text);
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

// The columns of a row, two spaces or more between them.
Lines Columns(const std::string& text) {
  Lines columns;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find("  ", at), text.size());
    columns.push_back(text.substr(at, end - at));
    at = std::min(text.find_first_not_of(' ', end), text.size());
  }
  return columns;
}

void ReplaceAll(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

// The lines without comments and with each `each` written out.
Lines Unrolled(const std::string& text) {
  Lines out;
  std::istringstream in(text);
  std::string line;
  const auto next = [&] {
    while (std::getline(in, line)) {
      line = Trimmed(line);
      if (!line.empty() && line[0] != '#') return true;
    }
    return false;
  };
  while (next()) {
    if (!line.starts_with("each ")) {
      out.push_back(line);
      continue;
    }
    const std::string head = line;
    const Lines names = Words(line.substr(5));
    // The longest first, so that a name may begin like another one.
    std::vector<std::size_t> order(names.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return names[a].size() > names[b].size(); });
    std::vector<Lines> rows;
    while (next() && line != "do") rows.push_back(Columns(line));
    Lines body;
    while (next() && line != "done") body.push_back(line);
    if (line != "done") Refuse(head, "has no done");
    for (const Lines& row : rows) {
      if (row.size() != names.size()) Refuse(head, "a row has another number of columns");
      for (std::string copy : body) {
        for (const std::size_t i : order) ReplaceAll(copy, names[i], row[i]);
        out.push_back(copy);
      }
    }
  }
  return out;
}

std::string Unescaped(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && text.substr(i, 2) == "\\x") {
      out += static_cast<char>(std::stoi(text.substr(i + 2, 2), nullptr, 16));
      i += 3;
    } else {
      out += text[i];
    }
  }
  return out;
}

int ErrorNumber(const std::string& line, const std::string& name) {
  static const std::map<std::string, int> kNames{
      {"EINVAL", EINVAL}, {"EACCES", EACCES}, {"EIO", EIO},         {"EFBIG", EFBIG},
      {"ENODEV", ENODEV}, {"EPERM", EPERM},   {"ENODATA", ENODATA}, {"EOPNOTSUPP", EOPNOTSUPP}};
  const auto found = kNames.find(name);
  if (found == kNames.end()) Refuse(line, "no error is called " + name);
  return found->second;
}

ManifestLine ParseEntry(const std::string& line) {
  ManifestLine entry;
  const std::size_t space = line.find(' ');
  if (space == std::string::npos) Refuse(line, "is only a name");
  entry.path = line.substr(0, space);
  const std::string rest = Trimmed(line.substr(space));
  if (rest[0] == '=') {
    entry.what = ManifestLine::What::kFile;
    entry.value = Unescaped(Trimmed(rest.substr(1)));
    if (!entry.value.empty()) entry.value += '\n';
  } else if (rest.starts_with("->")) {
    entry.what = ManifestLine::What::kLink;
    entry.value = Trimmed(rest.substr(2));
  } else if (rest[0] == '!') {
    entry.what = ManifestLine::What::kError;
    entry.error = ErrorNumber(line, rest.substr(1));
  } else if (rest == "char") {
    entry.what = ManifestLine::What::kCharacterDevice;
  } else if (rest != "dir") {
    Refuse(line, "has none of = -> ! char dir after its name");
  }
  return entry;
}

// "gids/{2..4}" three times.
void AddRange(const ManifestLine& entry, std::vector<ManifestLine>& out) {
  const std::size_t open = entry.path.find('{');
  if (open == std::string::npos) {
    out.push_back(entry);
    return;
  }
  const std::size_t dots = entry.path.find("..", open);
  const std::size_t close = entry.path.find('}', open);
  if (dots == std::string::npos || close == std::string::npos) Refuse(entry.path, "is no range");
  const int last = std::stoi(entry.path.substr(dots + 2, close - dots - 2));
  for (int i = std::stoi(entry.path.substr(open + 1, dots - open - 1)); i <= last; ++i) {
    ManifestLine one = entry;
    one.path.replace(open, close - open + 1, std::to_string(i));
    out.push_back(one);
  }
}

}  // namespace

std::vector<ManifestLine> ParseManifest(const std::string& text) {
  std::vector<ManifestLine> out;
  std::string section;
  for (const std::string& line : Unrolled(text)) {
    if (line.starts_with('[')) {
      if (!line.ends_with(']')) Refuse(line, "a section ends with ]");
      section = line.substr(1, line.size() - 2);
      out.push_back({section, ManifestLine::What::kDirectory, "", 0});
      continue;
    }
    ManifestLine entry = ParseEntry(line);
    if (!entry.path.starts_with('/')) entry.path = section + "/" + entry.path;
    AddRange(entry, out);
  }
  return out;
}

}  // namespace fairlead::deviceplugin
