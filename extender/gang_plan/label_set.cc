#include "extender/gang_plan/label_set.h"

#include <algorithm>

namespace fairlead::extender {

LabelSet::LabelSet(std::vector<Pair> labels) {
  if (labels.empty()) return;
  std::ranges::stable_sort(labels, {}, &Pair::first);
  auto block = std::make_shared<Block>();
  std::size_t bytes = 0;
  for (const auto& [key, value] : labels) bytes += key.size() + value.size();
  block->text.reserve(bytes);
  block->entries.reserve(labels.size());
  for (auto label = labels.begin(); label != labels.end(); ++label) {
    const auto next = label + 1;
    if (next != labels.end() && next->first == label->first) continue;
    block->entries.push_back({.at = static_cast<std::uint32_t>(block->text.size()),
                              .key_size = static_cast<std::uint32_t>(label->first.size()),
                              .value_size = static_cast<std::uint32_t>(label->second.size())});
    block->text.append(label->first).append(label->second);
  }
  block_ = std::move(block);
}

std::optional<std::string_view> LabelSet::Find(std::string_view key) const {
  if (!block_) return std::nullopt;
  const auto found = std::ranges::lower_bound(
      block_->entries, key, {}, [this](const Entry& entry) { return block_->Key(entry); });
  if (found == block_->entries.end() || block_->Key(*found) != key) return std::nullopt;
  return block_->Value(*found);
}

std::vector<LabelSet::Pair> LabelSet::All() const {
  std::vector<Pair> all;
  if (!block_) return all;
  for (const Entry& entry : block_->entries) {
    all.emplace_back(block_->Key(entry), block_->Value(entry));
  }
  return all;
}

bool LabelSet::operator==(const LabelSet& other) const {
  if (block_ == other.block_) return true;
  return block_ && other.block_ && *block_ == *other.block_;
}

}  // namespace fairlead::extender
