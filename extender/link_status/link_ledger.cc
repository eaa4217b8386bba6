#include "extender/link_status/link_ledger.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "extender/link_status/link_change.h"

namespace fairlead::extender {

void LinkLedger::Adopt(std::map<std::string, LinkStamps> found, MonotonicTime now) {
  Forget();
  adopted_ = now;
  for (auto& [name, stamps] : found) records_[name].stamps = stamps;
}

void LinkLedger::Forget() {
  adopted_.reset();
  records_.clear();
}

bool LinkLedger::AnyRefused() const {
  return std::ranges::any_of(records_,
                             [](const auto& entry) { return entry.second.refused_at.has_value(); });
}

bool LinkLedger::Waits(const Record& record, MonotonicTime now) const {
  return record.refused_at && now - *record.refused_at < pace_.refresh;
}

std::optional<LinkLedger::Urgency> LinkLedger::UrgencyOf(const LinkObject& object,
                                                         const Record& record,
                                                         MonotonicTime now) const {
  if (Waits(record, now)) return std::nullopt;
  const bool was_fresh = record.stamps && record.stamps->fresh == ConditionStatus::kTrue;
  if (!record.written) {
    const bool too_soon = was_fresh && !IsFresh(object) && now - *adopted_ < pace_.takeover;
    return too_soon ? std::nullopt : std::optional(Urgency::kState);
  }
  const Nanoseconds age = now - *record.written_at;
  switch (ChangeBetween(*record.written, object)) {
    case LinkChange::kState:
      return Urgency::kState;
    case LinkChange::kValue:
      if (age >= pace_.values) return Urgency::kValue;
      break;
    case LinkChange::kNone:
      break;
  }
  return age >= pace_.refresh ? std::optional(Urgency::kRefresh) : std::nullopt;
}

void LinkLedger::MarkUnwanted(const std::vector<LinkObject>& wanted, MonotonicTime now) {
  std::set<std::string_view> names;
  for (const LinkObject& object : wanted) names.insert(object.name);
  for (auto& [name, record] : records_) {
    if (names.contains(name)) {
      record.unwanted_since.reset();
    } else if (!record.unwanted_since) {
      record.unwanted_since = now;
    }
  }
  // What never came to be.
  std::erase_if(records_, [](const auto& entry) {
    return entry.second.unwanted_since && !entry.second.stamps;
  });
}

std::vector<LinkWrite> LinkLedger::Due(const std::vector<LinkObject>& wanted, bool settled,
                                       MonotonicTime now, WallTime wall_now) {
  if (!adopted_) return {};
  MarkUnwanted(wanted, now);
  std::vector<Candidate> due;
  for (const LinkObject& object : wanted) {
    const Record& record = records_[object.name];
    const auto urgency = UrgencyOf(object, record, now);
    if (!urgency) continue;
    due.push_back(
        {.urgency = *urgency,
         .last = record.written_at.value_or(MonotonicTime::min()),
         .write = {.object = object, .stamps = StampsOf(object, record.stamps, wall_now)}});
  }
  for (const auto& [name, record] : records_) {
    const bool gone = settled && record.unwanted_since &&
                      now - *record.unwanted_since >= pace_.gone && !Waits(record, now);
    if (!gone) continue;
    Candidate candidate{.urgency = Urgency::kValue, .last = *record.unwanted_since, .write = {}};
    candidate.write.object.name = name;
    candidate.write.remove = true;
    due.push_back(std::move(candidate));
  }
  std::ranges::stable_sort(
      due, {}, [](const Candidate& each) { return std::tuple(each.urgency, each.last); });
  if (due.size() > pace_.most) due.resize(pace_.most);
  std::vector<LinkWrite> writes;
  for (Candidate& each : due) writes.push_back(std::move(each.write));
  return writes;
}

void LinkLedger::Done(const LinkWrite& write, MonotonicTime now) {
  if (write.remove) {
    records_.erase(write.object.name);
    return;
  }
  Record& record = records_[write.object.name];
  record.written = write.object;
  record.stamps = write.stamps;
  record.written_at = now;
  record.refused_at.reset();
}

void LinkLedger::Refused(const LinkWrite& write, MonotonicTime now) {
  records_[write.object.name].refused_at = now;
}

}  // namespace fairlead::extender
