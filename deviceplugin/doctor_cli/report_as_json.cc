#include <chrono>
#include <nlohmann/json.hpp>

#include "deviceplugin/doctor/checks.h"
#include "deviceplugin/doctor_cli/report_view.h"

namespace fairlead::deviceplugin {
namespace {

using Json = nlohmann::ordered_json;

Json NullIfEmpty(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

double SecondsOf(Nanoseconds value) { return std::chrono::duration<double>(value).count(); }

Json RttSourceJson(const LineFacts& line) {
  if (!line.rtt) return nullptr;
  switch (line.rtt_source) {
    case RttSource::kGiven:
      return "given";
    case RttSource::kMeasured:
      return "measured";
    case RttSource::kFloor:
      return "floor";
  }
  return nullptr;
}

Json LinesJson(const NodeFacts& facts) {
  Json lines = Json::array();
  if (!facts.lines) return lines;
  for (const LineFacts& line : facts.lines->lines) {
    lines.push_back(
        {{"peer", line.peer},
         {"rtt_seconds", line.rtt ? Json(SecondsOf(*line.rtt)) : Json(nullptr)},
         {"rtt_source", RttSourceJson(line)},
         {"capacity_bits_per_second",
          line.capacity_bits_per_second ? Json(*line.capacity_bits_per_second) : Json(nullptr)}});
  }
  return lines;
}

Json ReportJson(const CheckReport& report) {
  Json findings = Json::array();
  for (const Finding& finding : report.findings) {
    findings.push_back({{"severity", CheckStatusName(finding.severity)},
                        {"subject", NullIfEmpty(finding.subject)},
                        {"what", finding.what},
                        {"evidence", finding.evidence},
                        {"why", finding.why},
                        {"remedy", finding.remedy}});
  }
  Json gaps = Json::array();
  for (const Gap& gap : report.gaps) {
    gaps.push_back({{"subject", NullIfEmpty(gap.subject)}, {"why", gap.why}});
  }
  return {{"check", report.name},
          {"status", CheckStatusName(report.status)},
          {"findings", std::move(findings)},
          {"not_known", std::move(gaps)}};
}

}  // namespace

std::string ReportAsJson(const NodeFacts& facts, std::span<const CheckReport> reports) {
  Json checks = Json::array();
  for (const CheckReport& report : reports) checks.push_back(ReportJson(report));
  const Json document{{"site", facts.lines ? Json(facts.lines->site) : Json(nullptr)},
                      {"lines", LinesJson(facts)},
                      {"status", CheckStatusName(Worst(reports))},
                      {"checks", std::move(checks)}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace fairlead::deviceplugin
