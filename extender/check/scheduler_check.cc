#include "extender/check/scheduler_check.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>
#include <utility>
#include <variant>

#include "common/base/file.h"
#include "extender/check/scheduler_file.h"
#include "extender/scheduler_config/judge.h"

namespace fairlead::extender {
namespace {

constexpr std::size_t kMostBytes = 1U << 20;

std::string_view Word(Severity severity) {
  switch (severity) {
    case Severity::kNote:
      return "note";
    case Severity::kWarning:
      return "warning";
    case Severity::kError:
      return "error";
  }
  return "";
}

// Lines as `env` prints them, or NUL after each as in /proc/PID/environ.
std::map<std::string, std::string> ParseEnvironment(std::string text) {
  std::ranges::replace(text, '\0', '\n');
  std::map<std::string, std::string> environment;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    const std::size_t equals = line.find('=');
    if (equals != std::string::npos) environment[line.substr(0, equals)] = line.substr(equals + 1);
    begin = end + 1;
  }
  return environment;
}

std::string Text(const std::string& file, const Finding& finding) {
  std::string text = file + ":";
  if (finding.line > 0) text += std::to_string(finding.line) + ":";
  text += " ";
  text += Word(finding.severity);
  return text + ": " + finding.what + ": " + finding.why + "; " + finding.remedy + "\n";
}

}  // namespace

Result<SchedulerCheckResult> CheckSchedulerConfig(const SchedulerCheckWish& wish) {
  const auto text = ReadFile(wish.file, kMostBytes);
  if (!text) return Fail(text.error());
  const auto settings = ReadSchedulerSettings(*text);
  if (!settings) {
    return Fail(settings.error().code, wish.file + ":" + settings.error().message);
  }
  Surroundings around;
  if (!wish.env_file.empty()) {
    const auto environment = ReadFile(wish.env_file, kMostBytes);
    if (!environment) return Fail(environment.error().Within("--env"));
    around.environment = ParseEnvironment(*environment);
  }
  if (wish.has_feature_gates) around.feature_gates = wish.feature_gates;
  const auto* const kube = std::get_if<KubeSettings>(&*settings);
  const Findings findings = kube != nullptr
                                ? JudgeKubeScheduler(*kube, around)
                                : JudgeVolcano(std::get<VolcanoSettings>(*settings), around);
  SchedulerCheckResult result;
  std::map<Severity, int> counts;
  for (const Finding& finding : findings) {
    result.text += Text(wish.file, finding);
    ++counts[finding.severity];
  }
  result.all_right = counts[Severity::kError] == 0 && counts[Severity::kWarning] == 0;
  result.text +=
      wish.file + ": " + (kube != nullptr ? "kube-scheduler" : "Volcano") + ": " +
      (result.all_right ? "ok"
                        : std::to_string(counts[Severity::kError]) + " wrong, " +
                              std::to_string(counts[Severity::kWarning]) + " to be improved") +
      "\n";
  return result;
}

}  // namespace fairlead::extender
