#include "extender/scheduler_config/kube_form.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "common/base/quote.h"
#include "extender/scheduler_config/go_duration.h"

namespace fairlead::extender {
namespace {

enum class Wanted {
  kText,
  kFlag,
  kWhole32,
  kWhole64,
  kNumber,
  kDuration,
  kBase64,
  kMap,
  kList,
  kAny
};

struct Shape;
struct Key {
  std::string_view name;
  Wanted wanted;
  const Shape* inside = nullptr;  // of kMap and of each item of kList
};
struct Shape {
  std::string_view what;
  std::string_view prefix;  // of its keys where they are named
  std::span<const Key> keys;
};

constexpr Key kTlsKeys[] = {{"insecure", Wanted::kFlag},  {"serverName", Wanted::kText},
                            {"certFile", Wanted::kText},  {"keyFile", Wanted::kText},
                            {"caFile", Wanted::kText},    {"certData", Wanted::kBase64},
                            {"keyData", Wanted::kBase64}, {"caData", Wanted::kBase64}};
constexpr Shape kTls{"tlsConfig", "tlsConfig.", kTlsKeys};

constexpr Key kResourceKeys[] = {{"name", Wanted::kText}, {"ignoredByScheduler", Wanted::kFlag}};
constexpr Shape kResource{"managedResources[]", "managedResources[].", kResourceKeys};

constexpr Key kExtenderKeys[] = {{"urlPrefix", Wanted::kText},
                                 {"filterVerb", Wanted::kText},
                                 {"preemptVerb", Wanted::kText},
                                 {"prioritizeVerb", Wanted::kText},
                                 {"weight", Wanted::kWhole64},
                                 {"bindVerb", Wanted::kText},
                                 {"enableHTTPS", Wanted::kFlag},
                                 {"tlsConfig", Wanted::kMap, &kTls},
                                 {"httpTimeout", Wanted::kDuration},
                                 {"nodeCacheCapable", Wanted::kFlag},
                                 {"managedResources", Wanted::kList, &kResource},
                                 {"ignorable", Wanted::kFlag}};
constexpr Shape kExtender{"an extender", "", kExtenderKeys};

constexpr Key kPluginKeys[] = {{"name", Wanted::kText}, {"weight", Wanted::kWhole32}};
constexpr Shape kPlugin{"a plugin", "profiles[].plugins.", kPluginKeys};

constexpr Key kPluginSetKeys[] = {{"enabled", Wanted::kList, &kPlugin},
                                  {"disabled", Wanted::kList, &kPlugin}};
constexpr Shape kPluginSet{"an extension point", "profiles[].plugins.", kPluginSetKeys};

constexpr Key kPluginsKeys[] = {{"preEnqueue", Wanted::kMap, &kPluginSet},
                                {"queueSort", Wanted::kMap, &kPluginSet},
                                {"preFilter", Wanted::kMap, &kPluginSet},
                                {"filter", Wanted::kMap, &kPluginSet},
                                {"postFilter", Wanted::kMap, &kPluginSet},
                                {"preScore", Wanted::kMap, &kPluginSet},
                                {"score", Wanted::kMap, &kPluginSet},
                                {"reserve", Wanted::kMap, &kPluginSet},
                                {"permit", Wanted::kMap, &kPluginSet},
                                {"preBind", Wanted::kMap, &kPluginSet},
                                {"bind", Wanted::kMap, &kPluginSet},
                                {"postBind", Wanted::kMap, &kPluginSet},
                                {"multiPoint", Wanted::kMap, &kPluginSet},
                                {"placementGenerate", Wanted::kMap, &kPluginSet},
                                {"placementScore", Wanted::kMap, &kPluginSet},
                                {"podGroupPostFilter", Wanted::kMap, &kPluginSet}};
constexpr Shape kPlugins{"plugins", "profiles[].plugins.", kPluginsKeys};

constexpr Key kPluginConfigKeys[] = {{"name", Wanted::kText}, {"args", Wanted::kAny}};
constexpr Shape kPluginConfig{"pluginConfig[]", "profiles[].pluginConfig[].", kPluginConfigKeys};

constexpr Key kProfileKeys[] = {{"schedulerName", Wanted::kText},
                                {"percentageOfNodesToScore", Wanted::kWhole32},
                                {"plugins", Wanted::kMap, &kPlugins},
                                {"pluginConfig", Wanted::kList, &kPluginConfig}};
constexpr Shape kProfile{"a profile", "profiles[].", kProfileKeys};

constexpr Key kElectionKeys[] = {
    {"leaderElect", Wanted::kFlag},       {"leaseDuration", Wanted::kDuration},
    {"renewDeadline", Wanted::kDuration}, {"retryPeriod", Wanted::kDuration},
    {"resourceLock", Wanted::kText},      {"resourceName", Wanted::kText},
    {"resourceNamespace", Wanted::kText}};
constexpr Shape kElection{"leaderElection", "leaderElection.", kElectionKeys};

constexpr Key kConnectionKeys[] = {{"kubeconfig", Wanted::kText},
                                   {"acceptContentTypes", Wanted::kText},
                                   {"contentType", Wanted::kText},
                                   {"qps", Wanted::kNumber},
                                   {"burst", Wanted::kWhole32}};
constexpr Shape kConnection{"clientConnection", "clientConnection.", kConnectionKeys};

constexpr Key kRootKeys[] = {{"apiVersion", Wanted::kText},
                             {"kind", Wanted::kText},
                             {"parallelism", Wanted::kWhole32},
                             {"leaderElection", Wanted::kMap, &kElection},
                             {"clientConnection", Wanted::kMap, &kConnection},
                             {"enableProfiling", Wanted::kFlag},
                             {"enableContentionProfiling", Wanted::kFlag},
                             {"percentageOfNodesToScore", Wanted::kWhole32},
                             {"podInitialBackoffSeconds", Wanted::kWhole64},
                             {"podMaxBackoffSeconds", Wanted::kWhole64},
                             {"profiles", Wanted::kList, &kProfile},
                             {"extenders", Wanted::kList, &kExtender},
                             {"delayCacheUntilActive", Wanted::kFlag}};
constexpr Shape kRoot{"a KubeSchedulerConfiguration", "", kRootKeys};

bool IsBase64(std::string text) {
  std::erase_if(text, [](char c) { return c == '\r' || c == '\n'; });
  const std::size_t letters = std::min(text.find('='), text.size());
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' ||
           c == '/';
  };
  return text.size() % 4 == 0 && text.size() - letters <= 2 &&
         std::ranges::all_of(text.substr(0, letters), letter) &&
         text.find_first_not_of('=', letters) == std::string::npos;
}

bool Right(const Scalar& value, Wanted wanted) {
  const YamlType type = value.type;
  switch (wanted) {
    case Wanted::kText:
      return type == YamlType::kText;
    case Wanted::kFlag:
      return type == YamlType::kFlag;
    case Wanted::kWhole32: {
      using Limits = std::numeric_limits<std::int32_t>;
      const auto number = ReadInteger(value);
      return number && *number >= Limits::min() && *number <= Limits::max();
    }
    case Wanted::kWhole64:
      return ReadInteger(value).has_value();
    case Wanted::kNumber:
      return type == YamlType::kWhole || type == YamlType::kFraction;
    case Wanted::kDuration:
      return type == YamlType::kText && ParseGoDuration(value.text).has_value();
    case Wanted::kBase64:
      return type == YamlType::kText && IsBase64(value.text);
    case Wanted::kMap:
      return type == YamlType::kMap;
    case Wanted::kList:
      return type == YamlType::kList;
    case Wanted::kAny:
      return true;
  }
  return true;
}

std::string_view Remedy(Wanted wanted) {
  switch (wanted) {
    case Wanted::kText:
      return "write a text, in quotes where it is a number, yes or no";
    case Wanted::kFlag:
      return "write true or false, without quotes";
    case Wanted::kWhole32:
    case Wanted::kWhole64:
      return "write a whole number, without quotes";
    case Wanted::kNumber:
      return "write a number, without quotes";
    case Wanted::kDuration:
      return "write a number with its unit, like 200ms";
    case Wanted::kBase64:
      return "write it in base64";
    case Wanted::kMap:
      return "write a mapping there, a key and its value a line";
    case Wanted::kList:
      return "write a list there, with - before each item";
    case Wanted::kAny:
      return "";
  }
  return "";
}

class FormJudge {
 public:
  explicit FormJudge(Judge& judge) : judge_(judge) {}

  void Map(const YamlValue& map, const Shape& shape) {
    for (const auto& [name, value] : map.members) {
      const auto key = std::ranges::find(shape.keys, std::string_view(name.text), &Key::name);
      if (key == shape.keys.end()) {
        judge_.Refuse(name.line, Quoted(name.text) + " is no key of " + std::string(shape.what),
                      "kube-scheduler refuses the file at its start",
                      "take it out or mend its spelling");
        continue;
      }
      Value(std::string(shape.prefix) + std::string(key->name), name.line, value, *key);
    }
  }

 private:
  void Value(const std::string& name, int line, const YamlValue& value, const Key& key) {
    const YamlType type = value.scalar.type;
    // A duration is the one type whose reader takes null for a text.
    if (type == YamlType::kNull && key.wanted != Wanted::kDuration) return;
    if (!Right(value.scalar, key.wanted)) {
      Wrong(name, line, value.scalar, key.wanted);
      return;
    }
    if (key.wanted == Wanted::kMap) Map(value, *key.inside);
    if (key.wanted != Wanted::kList) return;
    for (const YamlValue& item : value.items) {
      if (item.scalar.type == YamlType::kMap) {
        Map(item, *key.inside);
      } else if (item.scalar.type != YamlType::kNull) {
        Wrong(name + "[]", item.scalar.line, item.scalar, Wanted::kMap);
      }
    }
  }

  void Wrong(const std::string& name, int line, const Scalar& value, Wanted wanted) {
    judge_.Refuse(line, Shown(name, value),
                  "kube-scheduler wants another type there and does not start",
                  std::string(Remedy(wanted)));
  }

  Judge& judge_;
};

}  // namespace

void JudgeKubeForm(const KubeSettings& settings, Judge& judge) {
  if (settings.behind_another) {
    judge.Refuse(settings.root.scalar.line, "is not the first document of the file",
                 "kube-scheduler reads that alone", "take out what is before it");
  }
  for (const Scalar& key : settings.doubled_keys) {
    judge.Refuse(key.line, Quoted(key.text) + " is there twice",
                 "kube-scheduler refuses the file at its start", "keep one of them");
  }
  FormJudge(judge).Map(settings.root, kRoot);
}

}  // namespace fairlead::extender
