// The labels of a node.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fairlead::extender {

// An immutable value in one block of memory, which copies share: thousands of nodes have dozens of
// labels each, in every view of the cluster.
class LabelSet {
 public:
  using Pair = std::pair<std::string_view, std::string_view>;

  LabelSet() = default;
  LabelSet(std::initializer_list<Pair> labels) : LabelSet(std::vector<Pair>(labels)) {}
  // Of a doubled key the last counts.
  explicit LabelSet(std::vector<Pair> labels);

  // Views live as long as any copy.
  std::optional<std::string_view> Find(std::string_view key) const;
  std::vector<Pair> All() const;  // by key

  bool operator==(const LabelSet& other) const;

 private:
  struct Entry {
    std::uint32_t at = 0;  // of the key in the text; the value follows it
    std::uint32_t key_size = 0;
    std::uint32_t value_size = 0;
    bool operator==(const Entry&) const = default;
  };
  struct Block {
    std::string text;
    std::vector<Entry> entries;  // by key
    bool operator==(const Block&) const = default;

    std::string_view Key(const Entry& entry) const {
      return std::string_view(text).substr(entry.at, entry.key_size);
    }
    std::string_view Value(const Entry& entry) const {
      return std::string_view(text).substr(entry.at + entry.key_size, entry.value_size);
    }
  };

  std::shared_ptr<const Block> block_;  // null: none
};

}  // namespace fairlead::extender
