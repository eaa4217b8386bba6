#include "deviceplugin/doctor_facts/node_checks.h"

#include <utility>

#include "common/base/log.h"
#include "deviceplugin/doctor/checks.h"

namespace fairlead::deviceplugin {
namespace {

bool IsBad(CheckStatus status) { return status >= CheckStatus::kWarning; }

CheckStatus StatusOf(const std::vector<CheckReport>& reports, std::string_view check) {
  for (const CheckReport& report : reports) {
    if (report.name == check) return report.status;
  }
  return CheckStatus::kNotApplicable;
}

void LogChanges(const std::vector<CheckReport>& before, const std::vector<CheckReport>& now) {
  for (const CheckReport& report : now) {
    const CheckStatus old = StatusOf(before, report.name);
    if (IsBad(report.status) && report.status != old) {
      LogWarning("a check of the node found something",
                 {{"check", report.name},
                  {"status", CheckStatusName(report.status)},
                  {"subject", report.findings.front().subject},
                  {"finding", report.findings.front().what},
                  {"remedy", report.findings.front().remedy}});
    } else if (IsBad(old) && !IsBad(report.status)) {
      LogInfo("a check of the node finds nothing any more",
              {{"check", report.name}, {"status", CheckStatusName(report.status)}});
    }
  }
}

}  // namespace

NodeChecks::NodeChecks(std::function<std::optional<NodeFacts>()> read, const Clock& clock,
                       CheckTimes times)
    : read_(std::move(read)),
      clock_(clock),
      times_(times),
      last_turn_(clock.Now()),
      thread_([this](const std::stop_token& stop) { Run(stop); }) {}

NodeChecks::~NodeChecks() {
  thread_.request_stop();
  wake_.notify_all();
}

MonotonicTime NodeChecks::last_turn() const {
  std::lock_guard lock(mutex_);
  return last_turn_;
}

void NodeChecks::Run(const std::stop_token& stop) {
  Nanoseconds wait = times_.first_after;
  while (true) {
    {
      std::unique_lock lock(mutex_);
      wake_.wait_for(lock, stop, wait, [] { return false; });
    }
    if (stop.stop_requested()) return;
    Look();
    wait = times_.every;
  }
}

void NodeChecks::Look() {
  if (auto facts = read_()) {
    MarkIdleBefore(idle_, *facts);
    idle_ = FindIdle(*facts);
    auto reports = Examine(*facts);
    LogChanges(*reports_.Get(), reports);
    reports_.Publish(std::move(reports));
  }
  std::lock_guard lock(mutex_);
  last_turn_ = clock_.Now();
}

}  // namespace fairlead::deviceplugin
