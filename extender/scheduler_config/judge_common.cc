#include "extender/scheduler_config/judge_common.h"

#include <algorithm>
#include <utility>

#include "common/base/quote.h"
#include "extender/scheduler_config/go_duration.h"
#include "extender/scheduler_config/suitable.h"

namespace fairlead::extender {
const Scalar* FindScalar(const Scalars& values, std::string_view key) {
  const auto found = values.find(key);
  return found == values.end() ? nullptr : &found->second;
}

std::string Shown(std::string_view key, const Scalar& value) {
  std::string shown(key);
  if (value.type == YamlType::kNull) return shown + " is null";
  if (value.type == YamlType::kList) return shown + " is a list";
  if (value.type == YamlType::kMap) return shown + " is a mapping";
  return shown + ": " + Quoted(value.text);
}

void Judge::Add(Severity severity, int line, std::string what, std::string why,
                std::string remedy) {
  if (refused_.contains({line, what})) return;
  findings_.push_back({.line = line,
                       .severity = severity,
                       .what = std::move(what),
                       .why = std::move(why),
                       .remedy = std::move(remedy)});
}

void Judge::Refuse(int line, std::string what, std::string why, std::string remedy) {
  Add(Severity::kError, line, what, std::move(why), std::move(remedy));
  refused_.emplace(line, std::move(what));
}

void Judge::Url(std::string_view key, const Scalar& url, std::string_view path) {
  const Endpoint endpoint = ParseEndpoint(url.text);
  if (endpoint.scheme != "http" && endpoint.scheme != "https") {
    Add(Severity::kError, url.line, Shown(key, url),
        "is no URL of http or https, with a host and a port that there can be",
        "write it like http://127.0.0.1:8471" + std::string(path));
    return;
  }
  if (endpoint.path != path) {
    Add(Severity::kError, url.line, Shown(key, url),
        "the extender answers this scheduler under " + std::string(path) +
            ", so every call gets 404",
        "let it end with " + std::string(path));
  }
  if (endpoint.scheme == "http" && !endpoint.loopback()) {
    Add(Severity::kNote, url.line, Shown(key, url),
        "crosses the network in plain text: who can write to it can choose where pods go",
        "let a network policy admit the scheduler alone, or use HTTPS where the scheduler can");
  }
  Proxy(key, url, endpoint);
}

void Judge::Proxy(std::string_view key, const Scalar& url, const Endpoint& endpoint) {
  if (endpoint.loopback()) return;
  if (!around_.environment) {
    Add(Severity::kNote, url.line, Shown(key, url),
        "is called through a proxy where the scheduler's pod has HTTP_PROXY or HTTPS_PROXY, and "
        "such a failure is silent for scores",
        "have " + Quoted(endpoint.host) + " in NO_PROXY there; --env FILE checks its environment");
    return;
  }
  const std::string variable = ProxyVariable(endpoint, *around_.environment);
  if (variable.empty()) return;
  Add(Severity::kError, url.line, Shown(key, url),
      "is called through the proxy that " + variable + " names in the scheduler's environment",
      "add " + Quoted(endpoint.host) + " to NO_PROXY of the scheduler's pod");
}

void Judge::Timeout(std::string_view key, int line, const Scalar* value, int absent_seconds) {
  const std::string absent = std::to_string(absent_seconds) + " s";
  if (value == nullptr) {
    Add(Severity::kWarning, line, std::string(key) + " is not given",
        "so it is " + absent + ", and an extender that hangs holds up every pod for so long",
        "set it to 200ms");
    return;
  }
  const bool text = value->type == YamlType::kText;
  const auto timeout = text ? ParseGoDuration(value->text) : std::nullopt;
  if (!timeout) {
    Add(Severity::kError, value->line, Shown(key, *value),
        "is not a duration, so the scheduler refuses it or takes " + absent, "write 200ms");
  } else if (*timeout <= Nanoseconds(0)) {
    Add(Severity::kWarning, value->line, Shown(key, *value),
        "what is not above 0 is kept as no limit", "set it to 200ms");
  } else if (*timeout > kLongestTimeout) {
    Add(Severity::kWarning, value->line, Shown(key, *value),
        "an extender that hangs holds up every pod for so long", "set it to 200ms");
  } else if (*timeout < kShortestTimeout) {
    Add(Severity::kWarning, value->line, Shown(key, *value),
        "is short for thousands of nodes, and a ranking that comes late is dropped without a word",
        "set it to 200ms");
  }
}

void Judge::Ignorable(std::string_view key, int line, const Scalar* value,
                      std::string_view consequence) {
  const bool given = value != nullptr && !value->text.empty();
  if (given && ReadFlag(*value) == true) return;
  Add(Severity::kWarning, given ? value->line : line,
      given ? Shown(key, *value) : std::string(key) + " is not given, which is false",
      std::string(consequence), "set it to true");
}

Findings Judge::Take() {
  std::ranges::stable_sort(findings_, {}, &Finding::line);
  return std::move(findings_);
}

}  // namespace fairlead::extender
