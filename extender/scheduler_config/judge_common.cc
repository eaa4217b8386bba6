#include "extender/scheduler_config/judge_common.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <utility>

#include "common/base/quote.h"
#include "extender/scheduler_config/go_duration.h"

namespace fairlead::extender {
namespace {

constexpr Nanoseconds kShortest = Milliseconds(50);
constexpr Nanoseconds kLongest = Seconds(1);

}  // namespace

const Scalar* FindScalar(const Scalars& values, std::string_view key) {
  const auto found = values.find(key);
  return found == values.end() ? nullptr : &found->second;
}

std::string Shown(std::string_view key, const Scalar& value) {
  return std::string(key) + ": " + Quoted(value.text);
}

std::optional<bool> ReadFlag(const Scalar& value) {
  if (value.text == "true" || value.text == "True" || value.text == "TRUE") return true;
  if (value.text == "false" || value.text == "False" || value.text == "FALSE") return false;
  return std::nullopt;
}

std::optional<std::int64_t> ReadInteger(const Scalar& value) {
  std::int64_t number = 0;
  const char* const end = value.text.data() + value.text.size();
  const auto [rest, error] = std::from_chars(value.text.data(), end, number);
  if (error != std::errc{} || rest != end) return std::nullopt;
  return number;
}

void Judge::Add(Severity severity, int line, std::string what, std::string why,
                std::string remedy) {
  findings_.push_back({.line = line,
                       .severity = severity,
                       .what = std::move(what),
                       .why = std::move(why),
                       .remedy = std::move(remedy)});
}

void Judge::Url(std::string_view key, const Scalar& url, std::string_view path) {
  const Endpoint endpoint = ParseEndpoint(url.text);
  if (endpoint.scheme != "http" && endpoint.scheme != "https") {
    Add(Severity::kError, url.line, Shown(key, url), "is not a URL of http or https",
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
        "have " + endpoint.host + " in NO_PROXY there; --env FILE checks its environment");
    return;
  }
  const std::string variable = ProxyVariable(endpoint, *around_.environment);
  if (variable.empty()) return;
  Add(Severity::kError, url.line, Shown(key, url),
      "is called through the proxy that " + variable + " names in the scheduler's environment",
      "add " + endpoint.host + " to NO_PROXY of the scheduler's pod");
}

void Judge::Timeout(std::string_view key, int line, const Scalar* value, int absent_seconds) {
  const std::string absent = std::to_string(absent_seconds) + " s";
  if (value == nullptr || value->text.empty()) {
    Add(Severity::kWarning, line, std::string(key) + " is not given",
        "so it is " + absent + ", and an extender that hangs holds up every pod for so long",
        "set it to 200ms");
    return;
  }
  const auto timeout = ParseGoDuration(value->text);
  if (!timeout) {
    Add(Severity::kError, value->line, Shown(key, *value),
        "is not a duration, so the scheduler refuses it or takes " + absent, "write 200ms");
  } else if (*timeout == Nanoseconds(0)) {
    Add(Severity::kWarning, value->line, Shown(key, *value), "0 is not kept as a limit",
        "set it to 200ms");
  } else if (*timeout > kLongest) {
    Add(Severity::kWarning, value->line, Shown(key, *value),
        "an extender that hangs holds up every pod for so long", "set it to 200ms");
  } else if (*timeout < kShortest) {
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
