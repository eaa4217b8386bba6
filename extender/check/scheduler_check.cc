#include "extender/check/scheduler_check.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>
#include <utility>
#include <variant>

#include "common/base/file.h"
#include "extender/check/environment_text.h"
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
    const std::string& message = settings.error().message;
    const bool has_line = message[0] >= '0' && message[0] <= '9';
    return Fail(settings.error().code, wish.file + (has_line ? ":" : ": ") + message);
  }
  Surroundings around;
  if (!wish.env_file.empty()) {
    const auto environment = ReadFile(wish.env_file, kMostBytes);
    if (!environment) return Fail(environment.error().Within("--env"));
    auto parsed = ParseEnvironment(*environment);
    if (!parsed) return Fail(parsed.error().Within("--env " + wish.env_file));
    around.environment = *std::move(parsed);
  }
  if (wish.has_feature_gates) {
    auto gates = ParseFeatureGates(wish.feature_gates);
    if (!gates) return Fail(gates.error().Within("--feature-gates"));
    around.feature_gates = *std::move(gates);
  }
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
