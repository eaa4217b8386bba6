// A scheduler's configuration as text, judged.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "extender/check/scheduler_file.h"
#include "extender/scheduler_config/judge.h"

namespace fairlead::extender {

inline Findings JudgeText(const std::string& text, const Surroundings& around = {}) {
  const auto settings = ReadSchedulerSettings(text);
  if (!settings) {
    ADD_FAILURE() << settings.error().message << "\n" << text;
    return {};
  }
  if (const auto* kube = std::get_if<KubeSettings>(&*settings)) {
    return JudgeKubeScheduler(*kube, around);
  }
  return JudgeVolcano(std::get<VolcanoSettings>(*settings), around);
}

// "LINE LETTER what", a line for each finding; notes left out. E: error, W: warning.
inline std::string Brief(const Findings& findings) {
  std::string text;
  for (const Finding& finding : findings) {
    EXPECT_NE(finding.what, "");
    EXPECT_NE(finding.why, "");
    EXPECT_NE(finding.remedy, "");
    if (finding.severity == Severity::kNote) continue;
    text += std::to_string(finding.line) + (finding.severity == Severity::kError ? " E " : " W ") +
            finding.what + "\n";
  }
  return text;
}

}  // namespace fairlead::extender
