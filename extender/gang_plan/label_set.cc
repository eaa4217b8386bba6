#include "extender/gang_plan/label_set.h"

#include <algorithm>

namespace fairlead::extender {
namespace {

std::vector<std::pair<LabelSet::Text, LabelSet::Text>> Owned(
    const std::vector<LabelSet::Pair>& labels) {
  std::vector<std::pair<LabelSet::Text, LabelSet::Text>> owned;
  owned.reserve(labels.size());
  for (const auto& [key, value] : labels) {
    owned.emplace_back(std::make_shared<const std::string>(key),
                       std::make_shared<const std::string>(value));
  }
  return owned;
}

std::string_view KeyOf(const std::pair<LabelSet::Text, LabelSet::Text>& label) {
  return *label.first;
}

}  // namespace

LabelSet::LabelSet(const std::vector<Pair>& labels) : LabelSet(Owned(labels)) {}

LabelSet::LabelSet(std::vector<std::pair<Text, Text>> labels) {
  if (labels.empty()) return;
  std::ranges::stable_sort(labels, {}, KeyOf);
  Labels kept;
  kept.reserve(labels.size());
  for (auto& label : labels) {
    if (!kept.empty() && KeyOf(kept.back()) == KeyOf(label)) kept.pop_back();
    kept.push_back(std::move(label));
  }
  labels_ = std::make_shared<const Labels>(std::move(kept));
}

std::optional<std::string_view> LabelSet::Find(std::string_view key) const {
  if (!labels_) return std::nullopt;
  const auto found = std::ranges::lower_bound(*labels_, key, {}, KeyOf);
  if (found == labels_->end() || KeyOf(*found) != key) return std::nullopt;
  return *found->second;
}

std::vector<LabelSet::Pair> LabelSet::All() const {
  std::vector<Pair> all;
  if (!labels_) return all;
  for (const auto& [key, value] : *labels_) all.emplace_back(*key, *value);
  return all;
}

bool LabelSet::operator==(const LabelSet& other) const {
  if (labels_ == other.labels_) return true;
  return labels_ && other.labels_ &&
         std::ranges::equal(*labels_, *other.labels_, [](const auto& a, const auto& b) {
           return *a.first == *b.first && *a.second == *b.second;
         });
}

}  // namespace fairlead::extender
