#include "common/config/suggest.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace fairlead {
namespace {

// Beyond this no known word is near, and the quadratic comparison is not worth its time.
constexpr std::size_t kLongestWord = 64;

std::string Folded(std::string_view word) {
  std::string out;
  for (const char c : word) {
    if (c == '-' || c == '_') continue;
    out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

// Levenshtein distance.
std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

std::string Suggest(std::string_view word, std::span<const std::string_view> known) {
  std::string_view best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  if (word.size() <= kLongestWord) {
    const std::string folded = Folded(word);
    for (const std::string_view candidate : known) {
      const std::size_t distance = EditDistance(folded, Folded(candidate));
      if (distance < best_distance) {
        best = candidate;
        best_distance = distance;
      }
    }
  }
  if (!best.empty()) return "; did you mean " + std::string(best) + "?";
  std::string out = "; known: ";
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (i > 0) out += ", ";
    out += known[i];
  }
  return out;
}

}  // namespace fairlead
