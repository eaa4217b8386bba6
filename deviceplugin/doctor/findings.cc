#include "deviceplugin/doctor/findings.h"

#include <algorithm>
#include <utility>

namespace fairlead::deviceplugin {

std::string_view CheckStatusName(CheckStatus status) {
  switch (status) {
    case CheckStatus::kNotApplicable:
      return "not_applicable";
    case CheckStatus::kOk:
      return "ok";
    case CheckStatus::kUnknown:
      return "unknown";
    case CheckStatus::kNote:
      return "note";
    case CheckStatus::kWarning:
      return "warning";
    case CheckStatus::kFault:
      return "fault";
  }
  return "";
}

void Findings::Raise(CheckStatus status) { report_.status = std::max(report_.status, status); }

void Findings::Add(Finding finding) {
  Raise(finding.severity);
  report_.findings.push_back(std::move(finding));
}

void Findings::NotKnown(std::string subject, std::string why) {
  Raise(CheckStatus::kUnknown);
  report_.gaps.push_back({.subject = std::move(subject), .why = std::move(why)});
}

CheckReport Findings::Take() {
  std::stable_sort(report_.findings.begin(), report_.findings.end(),
                   [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
  return std::move(report_);
}

}  // namespace fairlead::deviceplugin
