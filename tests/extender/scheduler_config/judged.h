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

// The text with one whole line replaced; an empty replacement takes it out, an empty line appends.
inline std::string Replaced(std::string text, const std::string& line,
                            const std::string& in_its_place) {
  if (line.empty()) return text + in_its_place;
  const std::size_t at = text.find(line + "\n");
  EXPECT_NE(at, std::string::npos) << line;
  text.replace(at, line.size() + (in_its_place.empty() ? 1 : 0), in_its_place);
  return text;
}

// One line of a right configuration made wrong, and what is found then.
struct Mistake {
  const char* name;
  std::string line;
  std::string in_its_place;
  std::string findings;
};

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
