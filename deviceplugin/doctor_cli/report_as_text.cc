#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <vector>

#include "common/units/duration.h"
#include "common/units/human.h"
#include "deviceplugin/doctor/wrapped_text.h"
#include "deviceplugin/doctor_cli/report_view.h"

namespace fairlead::deviceplugin {
namespace {

constexpr std::size_t kIndent = 9;

std::string Capitals(std::string_view word) {
  std::string out(word);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return out;
}

std::string LineWords(const LineFacts& line) {
  std::string text = line.peer + ": ";
  if (line.rtt) {
    switch (line.rtt_source) {
      case RttSource::kGiven:
        text += HumanDuration(*line.rtt) + " as given";
        break;
      case RttSource::kMeasured:
        text += HumanDuration(*line.rtt) + " measured";
        break;
      case RttSource::kFloor:
        text += "at least " + HumanDuration(*line.rtt) + " by its length";
        break;
    }
  } else {
    text += "RTT not known";
  }
  text += ", ";
  if (!line.capacity_bits_per_second) return text + "capacity not declared";
  return text + HumanRate(static_cast<double>(*line.capacity_bits_per_second)) + " declared";
}

std::string Header(const NodeFacts& facts) {
  std::string text =
      "Looked at: " + Counted(facts.inventory.hcas.size(), "RDMA device", "RDMA devices");
  for (std::size_t i = 0; i < facts.inventory.hcas.size(); ++i) {
    text += (i == 0 ? " (" : ", ") + facts.inventory.hcas[i].name;
  }
  if (!facts.inventory.hcas.empty()) text += ")";
  text += ", ";
  if (!facts.lines) return text + "lines not known: " + facts.lines.why_not() + ".\n";
  text += "site " + facts.lines->site;
  if (facts.lines->lines.empty()) return text + " without lines.\n";
  text += ". Lines:\n";
  for (const LineFacts& line : facts.lines->lines) text += "  " + LineWords(line) + "\n";
  return text;
}

std::string FindingText(std::string_view check, const Finding& finding) {
  std::string label = Capitals(CheckStatusName(finding.severity));
  std::string title(check);
  if (!finding.subject.empty()) title += ": " + finding.subject;
  return "\n" + Wrapped(label, kIndent, title) + Wrapped("", kIndent, finding.what) +
         Wrapped("  seen", kIndent, finding.evidence) + Wrapped("  costs", kIndent, finding.why) +
         Wrapped("  do", kIndent, finding.remedy);
}

std::string FindingTexts(std::span<const CheckReport> reports) {
  std::string text;
  for (const CheckStatus severity :
       {CheckStatus::kFault, CheckStatus::kWarning, CheckStatus::kNote}) {
    for (const CheckReport& report : reports) {
      for (const Finding& finding : report.findings) {
        if (finding.severity == severity) text += FindingText(report.name, finding);
      }
    }
  }
  return text;
}

// One line for each reason, since all ports mostly share it.
std::string NotKnown(std::span<const CheckReport> reports) {
  std::string text;
  for (const CheckReport& report : reports) {
    std::map<std::string, std::vector<std::string>> subjects;
    for (const Gap& gap : report.gaps) subjects[gap.why].push_back(gap.subject);
    for (const auto& [why, whose] : subjects) {
      std::string line = std::string(report.name) + ": " + why;
      std::string names;
      for (const std::string& name : whose) {
        if (!name.empty()) names += (names.empty() ? "" : ", ") + name;
      }
      if (!names.empty()) line += " (" + names + ")";
      text += Wrapped("  ", 2, line + ".");
    }
  }
  return text.empty() ? text : "\nNot known, so neither good nor bad:\n" + text;
}

std::string NamesWith(std::span<const CheckReport> reports, CheckStatus status) {
  std::string names;
  for (const CheckReport& report : reports) {
    if (report.status == status) names += (names.empty() ? "" : ", ") + std::string(report.name);
  }
  return names;
}

std::string Summary(std::span<const CheckReport> reports) {
  std::map<CheckStatus, std::uint64_t> count;
  for (const CheckReport& report : reports) {
    for (const Finding& finding : report.findings) ++count[finding.severity];
  }
  return Counted(count[CheckStatus::kFault], "fault", "faults") + ", " +
         Counted(count[CheckStatus::kWarning], "warning", "warnings") + ", " +
         Counted(count[CheckStatus::kNote], "note", "notes") + ".\n";
}

}  // namespace

int ExitStatusFor(CheckStatus worst) {
  switch (worst) {
    case CheckStatus::kNotApplicable:
    case CheckStatus::kOk:
    case CheckStatus::kUnknown:
    case CheckStatus::kNote:
      return 0;
    case CheckStatus::kWarning:
      return kExitWarnings;
    case CheckStatus::kFault:
      return kExitFaults;
  }
  return 0;
}

std::string ReportAsText(const NodeFacts& facts, std::span<const CheckReport> reports) {
  std::string text = Header(facts) + FindingTexts(reports) + NotKnown(reports) + "\n";
  const std::string fine = NamesWith(reports, CheckStatus::kOk);
  const std::string nothing = NamesWith(reports, CheckStatus::kNotApplicable);
  if (!fine.empty()) text += Wrapped("Fine: ", 0, fine + ".");
  if (!nothing.empty()) text += Wrapped("Nothing to check: ", 0, nothing + ".");
  return text + Summary(reports);
}

}  // namespace fairlead::deviceplugin
