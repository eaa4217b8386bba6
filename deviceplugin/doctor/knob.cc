#include "deviceplugin/doctor/knob.h"

#include <algorithm>
#include <utility>

#include "deviceplugin/doctor/knob_tables.h"

namespace fairlead::deviceplugin {
namespace {

constexpr std::size_t kMostSimilar = 5;

std::string Plain(std::string_view text) {
  std::string plain;
  for (const char c : text) {
    if (c >= 'A' && c <= 'Z') {
      plain += static_cast<char>(c - 'A' + 'a');
    } else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
      plain += c;
    }
  }
  return plain;
}

bool Is(const Knob& knob, const std::string& plain) {
  if (Plain(knob.name) == plain) return true;
  std::string_view rest = knob.other;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    if (Plain(rest.substr(0, end)) == plain) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

const Knob* Find(std::string_view name) {
  const std::string plain = Plain(name);
  if (plain.empty()) return nullptr;
  for (const Knob& knob : AllKnobs()) {
    if (Is(knob, plain)) return &knob;
  }
  return nullptr;
}

// How many letters have to be changed, added or left out.
std::size_t Distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string_view KnobKindText(KnobKind kind) {
  switch (kind) {
    case KnobKind::kReal:
      return "real";
    case KnobKind::kPartly:
      return "real, but";
    case KnobKind::kNotReal:
      return "not real";
    case KnobKind::kClaim:
      return "a claim";
  }
  return "";
}

std::span<const Knob> AllKnobs() {
  static const std::vector<Knob> knobs = [] {
    std::vector<Knob> all;
    for (const auto part : {HostKnobs(), NcclKnobs(), Claims()}) {
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }();
  return knobs;
}

const Knob* FindKnob(std::string_view name) {
  if (const Knob* knob = Find(name)) return knob;
  // "mlxconfig set ECN_ENABLE=1", "/sys/.../max_send_wr"
  const std::string_view value_less = name.substr(0, name.find('='));
  if (const Knob* knob = Find(value_less)) return knob;
  const std::size_t cut = value_less.find_last_of("/ ");
  return cut == std::string_view::npos ? nullptr : Find(value_less.substr(cut + 1));
}

std::vector<std::string_view> SimilarKnobs(std::string_view name) {
  const std::string plain = Plain(name);
  std::vector<std::pair<std::size_t, std::string_view>> similar;
  for (const Knob& knob : AllKnobs()) {
    const std::string own = Plain(knob.name);
    const bool part = plain.size() >= 3 && (own.find(plain) != std::string::npos ||
                                            plain.find(own) != std::string::npos);
    const std::size_t distance = part ? 0 : Distance(plain, own);
    if (distance <= std::max<std::size_t>(2, own.size() / 3)) {
      similar.emplace_back(distance, knob.name);
    }
  }
  std::stable_sort(similar.begin(), similar.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string_view> names;
  for (const auto& [distance, found] : similar) {
    if (names.size() < kMostSimilar) names.push_back(found);
  }
  return names;
}

}  // namespace fairlead::deviceplugin
