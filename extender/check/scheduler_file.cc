#include "extender/check/scheduler_file.h"

#include <yaml-cpp/yaml.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/base/quote.h"
#include "extender/check/yaml_text.h"
#include "extender/check/yaml_tree.h"

namespace fairlead::extender {
namespace {

std::string TextOf(const YamlValue* value) { return value == nullptr ? "" : value->scalar.text; }

// Not null: no items where there is no list.
const std::vector<YamlValue>& ItemsOf(const YamlValue* list) {
  static const std::vector<YamlValue> kNone;
  return list == nullptr ? kNone : list->items;
}

Scalar ValueOf(const Scalars& values, std::string_view key, int line) {
  const auto found = values.find(key);
  return found == values.end() ? Scalar{.line = line} : found->second;
}

KubeExtender ReadExtender(const YamlValue& item) {
  KubeExtender extender{
      .line = item.scalar.line, .values = item.ScalarsInside(), .tls = {}, .managed_resources = {}};
  if (const YamlValue* const tls = item.Find("tlsConfig")) extender.tls = tls->ScalarsInside();
  for (const YamlValue& resource : ItemsOf(item.Find("managedResources"))) {
    const Scalars values = resource.ScalarsInside();
    extender.managed_resources.push_back(
        {.name = ValueOf(values, "name", resource.scalar.line),
         .ignored_by_scheduler = ValueOf(values, "ignoredByScheduler", resource.scalar.line)});
  }
  return extender;
}

KubeSettings ReadKube(YamlTree tree) {
  KubeSettings settings;
  settings.values = tree.root.ScalarsInside();
  for (const YamlValue& profile : ItemsOf(tree.root.Find("profiles"))) {
    settings.profiles.push_back({.line = profile.scalar.line, .values = profile.ScalarsInside()});
  }
  for (const YamlValue& item : ItemsOf(tree.root.Find("extenders"))) {
    if (item.scalar.type == YamlType::kMap) settings.extenders.push_back(ReadExtender(item));
  }
  settings.doubled_keys = std::move(tree.doubled_keys);
  settings.root = std::move(tree.root);
  return settings;
}

VolcanoSettings ReadVolcano(YamlTree tree) {
  VolcanoSettings settings;
  for (const YamlValue& tier : ItemsOf(tree.root.Find("tiers"))) {
    for (const YamlValue& item : ItemsOf(tier.Find("plugins"))) {
      if (item.scalar.type != YamlType::kMap) continue;
      const YamlValue* const arguments = item.Find("arguments");
      VolcanoPlugin plugin{.name = {.text = TextOf(item.Find("name")), .line = item.scalar.line},
                           .arguments = {},
                           .managed_resources = {}};
      if (arguments != nullptr) {
        plugin.arguments = arguments->ScalarsInside();
        for (const YamlValue& name : ItemsOf(arguments->Find("extender.managedResources"))) {
          plugin.managed_resources.push_back(name.scalar);
        }
      }
      settings.plugins.push_back(std::move(plugin));
    }
  }
  settings.doubled_keys = std::move(tree.doubled_keys);
  return settings;
}

std::optional<SchedulerSettings> ReadSettings(YamlTree tree) {
  if (TextOf(tree.root.Find("kind")) == "KubeSchedulerConfiguration") {
    return ReadKube(std::move(tree));
  }
  if (tree.root.Find("tiers") != nullptr) return ReadVolcano(std::move(tree));
  return std::nullopt;
}

// A value of a ConfigMap under `key`. What is no YAML is an error, with its line in the whole file,
// only under the name of a configuration.
YAML::Node LoadText(const std::string& key, const std::string& text, int lines_before) {
  try {
    return YAML::Load(text);
  } catch (const YAML::ParserException& e) {
    if (!key.ends_with(".yaml") && !key.ends_with(".yml") && !key.ends_with(".conf")) return {};
    YAML::Mark mark = e.mark;
    mark.line += lines_before;
    throw YAML::ParserException(mark, e.msg);
  }
}

std::optional<SchedulerSettings> ReadDocument(const YAML::Node& root, bool first) {
  YamlTree tree = ReadYamlTree(root, 0);
  const YamlValue* const data = tree.root.Find("data");
  if (TextOf(tree.root.Find("kind")) == "KubeSchedulerConfiguration" || data == nullptr) {
    auto settings = ReadSettings(std::move(tree));
    if (auto* kube = settings ? std::get_if<KubeSettings>(&*settings) : nullptr) {
      kube->behind_another = !first;
    }
    return settings;
  }
  for (const auto& [key, value] : data->members) {
    if (value.scalar.type != YamlType::kText) continue;
    // The text begins on the line behind its key where it is a block.
    const YAML::Node inner = LoadText(key.text, value.scalar.text, key.line);
    if (auto settings = ReadSettings(ReadYamlTree(inner, key.line))) return settings;
  }
  return ReadSettings(std::move(tree));
}

}  // namespace

Result<SchedulerSettings> ReadSchedulerSettings(std::string_view text) {
  if (const Status readable = CheckYamlText(text); !readable) return Fail(readable.error());
  try {
    bool first = true;
    for (const YAML::Node& root : YAML::LoadAll(std::string(text))) {
      if (auto settings = ReadDocument(root, first)) return *std::move(settings);
      first = false;
    }
  } catch (const YAML::Exception& e) {
    return Fail(ErrorCode::kInvalidArgument,
                std::to_string(e.mark.line + 1) + ": is not valid YAML: " + Quoted(e.msg, 200));
  }
  return Fail(ErrorCode::kInvalidArgument,
              "holds neither a KubeSchedulerConfiguration nor Volcano's tiers");
}

}  // namespace fairlead::extender
