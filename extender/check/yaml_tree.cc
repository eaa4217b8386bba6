#include "extender/check/yaml_tree.h"

#include <yaml-cpp/yaml.h>

#include <cstddef>
#include <set>
#include <string>
#include <utility>

namespace fairlead::extender {
namespace {

constexpr std::size_t kMostValues = 1'000'000;
constexpr std::size_t kMostDepth = 100;

class TreeReader {
 public:
  explicit TreeReader(int lines_before) : lines_before_(lines_before) {}

  YamlTree Read(const YAML::Node& root) {
    YamlValue value = ReadValue(root);
    return {.root = std::move(value), .doubled_keys = std::move(doubled_)};
  }

 private:
  YamlValue ReadValue(const YAML::Node& node) {
    if (++values_ > kMostValues || ++depth_ > kMostDepth) {
      throw YAML::Exception(node.Mark(), "is nested too deep, or too large with its aliases");
    }
    YamlValue value;
    value.scalar.line = LineOf(node);
    switch (node.Type()) {
      case YAML::NodeType::Undefined:
      case YAML::NodeType::Null:
        value.scalar.type = YamlType::kNull;
        break;
      case YAML::NodeType::Scalar:
        value.scalar = ReadScalar(node);
        break;
      case YAML::NodeType::Sequence:
        value.scalar.type = YamlType::kList;
        for (const auto& item : node) value.items.push_back(ReadValue(item));
        break;
      case YAML::NodeType::Map:
        value.scalar.type = YamlType::kMap;
        ReadMembers(node, value);
        break;
    }
    --depth_;
    return value;
  }

  int LineOf(const YAML::Node& node) const { return node.Mark().line + 1 + lines_before_; }

  Scalar ReadScalar(const YAML::Node& node) const {
    constexpr std::string_view kTags = "tag:yaml.org,2002:";
    Scalar scalar{.text = node.IsScalar() ? node.Scalar() : std::string(),
                  .line = LineOf(node),
                  .type = YamlType::kText};
    const std::string& tag = node.Tag();
    const bool plain = tag.empty() || tag == "?";
    const bool typed =
        tag.starts_with(kTags) && !tag.ends_with(":str") && !tag.ends_with(":binary");
    if (plain || typed) scalar.type = ResolvePlain(scalar.text);
    return scalar;
  }

  void ReadMembers(const YAML::Node& map, YamlValue& value) {
    std::set<std::string> keys;
    for (const auto& entry : map) {
      const Scalar key = ReadScalar(entry.first);
      if (key.text == "<<" && entry.first.Tag() != "!") {
        Merge(ReadValue(entry.second), keys, value);
        continue;
      }
      if (!keys.insert(key.text).second) AddDoubled(key);
      value.members.emplace_back(key, ReadValue(entry.second));
    }
  }

  // What is merged twice counts as there twice, as Kubernetes has it.
  void Merge(YamlValue merged, std::set<std::string>& keys, YamlValue& into) {
    for (YamlValue& item : merged.items) Merge(std::move(item), keys, into);
    for (auto& [key, member] : merged.members) {
      if (!keys.insert(key.text).second) AddDoubled(key);
      into.members.emplace_back(key, std::move(member));
    }
  }

  // A mapping that several aliases name is read as often.
  void AddDoubled(const Scalar& key) {
    if (seen_.emplace(key.line, key.text).second) doubled_.push_back(key);
  }

  const int lines_before_;
  std::size_t values_ = 0;
  std::size_t depth_ = 0;
  std::vector<Scalar> doubled_;
  std::set<std::pair<int, std::string>> seen_;
};

}  // namespace

YamlTree ReadYamlTree(const YAML::Node& root, int lines_before) {
  return TreeReader(lines_before).Read(root);
}

}  // namespace fairlead::extender
