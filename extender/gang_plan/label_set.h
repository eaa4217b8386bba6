// The labels of a node.
#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fairlead::extender {

// An immutable value, which copies share. The texts can be shared with other sets, too: thousands
// of nodes have dozens of labels each, nearly all of them alike.
class LabelSet {
 public:
  using Pair = std::pair<std::string_view, std::string_view>;
  using Text = std::shared_ptr<const std::string>;

  LabelSet() = default;
  LabelSet(std::initializer_list<Pair> labels) : LabelSet(std::vector<Pair>(labels)) {}
  // Of a doubled key the last counts.
  explicit LabelSet(const std::vector<Pair>& labels);
  // None of them is null.
  explicit LabelSet(std::vector<std::pair<Text, Text>> labels);

  // Views live as long as any copy.
  std::optional<std::string_view> Find(std::string_view key) const;
  std::vector<Pair> All() const;  // by key

  bool operator==(const LabelSet& other) const;

 private:
  using Labels = std::vector<std::pair<Text, Text>>;

  std::shared_ptr<const Labels> labels_;  // by key; null: none
};

}  // namespace fairlead::extender
