#include "extender/check/scheduler_file.h"

#include <yaml-cpp/yaml.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fairlead::extender {
namespace {

// Reads the nodes of one document whose first line is that after `lines_before`.
class Reader {
 public:
  explicit Reader(int lines_before) : lines_before_(lines_before) {}

  std::optional<SchedulerSettings> Read(const YAML::Node& root) const {
    if (!root.IsMap()) return std::nullopt;
    if (Text(root["kind"]) == "KubeSchedulerConfiguration") return ReadKube(root);
    if (root["tiers"].IsDefined()) return ReadVolcano(root["tiers"]);
    return std::nullopt;
  }

  // The line of a value, counted from 1 in the whole file.
  int LineOf(const YAML::Node& node) const { return node.Mark().line + 1 + lines_before_; }

 private:
  static std::string Text(const YAML::Node& node) {
    return node.IsDefined() && node.IsScalar() ? node.Scalar() : std::string();
  }

  Scalar ToScalar(const YAML::Node& node) const {
    return {.text = Text(node), .line = LineOf(node)};
  }

  // What is a scalar; null is as good as not there.
  Scalars ScalarsOf(const YAML::Node& map) const {
    Scalars scalars;
    if (!map.IsDefined() || !map.IsMap()) return scalars;
    for (const auto& entry : map) {
      if (!entry.first.IsScalar() || entry.second.IsNull()) continue;
      scalars[entry.first.Scalar()] = {.text = Text(entry.second), .line = LineOf(entry.first)};
    }
    return scalars;
  }

  static std::vector<YAML::Node> Items(const YAML::Node& list) {
    std::vector<YAML::Node> items;
    if (!list.IsDefined() || !list.IsSequence()) return items;
    for (const auto& item : list) items.push_back(item);
    return items;
  }

  KubeSettings ReadKube(const YAML::Node& root) const {
    KubeSettings settings;
    settings.values = ScalarsOf(root);
    for (const YAML::Node& profile : Items(root["profiles"])) {
      settings.profiles.push_back({.line = LineOf(profile), .values = ScalarsOf(profile)});
    }
    for (const YAML::Node& item : Items(root["extenders"])) {
      if (!item.IsMap()) continue;
      KubeExtender extender;
      extender.line = LineOf(item);
      extender.values = ScalarsOf(item);
      extender.tls = ScalarsOf(item["tlsConfig"]);
      for (const YAML::Node& resource : Items(item["managedResources"])) {
        const Scalars values = ScalarsOf(resource);
        ManagedResource managed;
        if (const auto name = values.find("name"); name != values.end()) {
          managed.name = name->second;
        }
        if (const auto ignored = values.find("ignoredByScheduler"); ignored != values.end()) {
          managed.ignored_by_scheduler = ignored->second;
        }
        extender.managed_resources.push_back(std::move(managed));
      }
      settings.extenders.push_back(std::move(extender));
    }
    return settings;
  }

  VolcanoSettings ReadVolcano(const YAML::Node& tiers) const {
    VolcanoSettings settings;
    for (const YAML::Node& tier : Items(tiers)) {
      if (!tier.IsMap()) continue;
      for (const YAML::Node& item : Items(tier["plugins"])) {
        if (!item.IsMap()) continue;
        const YAML::Node arguments = item["arguments"];
        VolcanoPlugin plugin{.name = {Text(item["name"]), LineOf(item)},
                             .arguments = ScalarsOf(arguments),
                             .managed_resources = {}};
        if (arguments.IsDefined() && arguments.IsMap()) {
          for (const YAML::Node& name : Items(arguments["extender.managedResources"])) {
            plugin.managed_resources.push_back(ToScalar(name));
          }
        }
        settings.plugins.push_back(std::move(plugin));
      }
    }
    return settings;
  }

  const int lines_before_;
};

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

std::optional<SchedulerSettings> ReadDocument(const YAML::Node& root, int lines_before) {
  const Reader reader(lines_before);
  if (auto settings = reader.Read(root)) return settings;
  if (!root.IsMap() || !root["data"].IsDefined() || !root["data"].IsMap()) return std::nullopt;
  for (const auto& entry : root["data"]) {
    if (!entry.second.IsScalar()) continue;
    // The text begins on the line behind its key where it is a block.
    const int before = lines_before + entry.first.Mark().line + 1;
    if (auto settings =
            Reader(before).Read(LoadText(entry.first.Scalar(), entry.second.Scalar(), before))) {
      return settings;
    }
  }
  return std::nullopt;
}

}  // namespace

Result<SchedulerSettings> ReadSchedulerSettings(std::string_view text) {
  try {
    for (const YAML::Node& root : YAML::LoadAll(std::string(text))) {
      if (auto settings = ReadDocument(root, 0)) return *std::move(settings);
    }
  } catch (const YAML::Exception& e) {
    return Fail(ErrorCode::kInvalidArgument,
                std::to_string(e.mark.line + 1) + ": is not valid YAML: " + e.msg);
  }
  return Fail(ErrorCode::kInvalidArgument,
              "holds neither a KubeSchedulerConfiguration nor Volcano's tiers");
}

}  // namespace fairlead::extender
