#include "extender/cluster_api/event_ledger.h"

#include <chrono>
#include <utility>

#include "common/base/hex.h"

namespace fairlead::extender {
namespace {

// Names may have 253 bytes; the salt, a number and dots follow it.
constexpr std::size_t kMostNameBytes = 200;
constexpr std::size_t kMostNoteBytes = 1024;

// Not in the middle of a UTF-8 character.
void Cut(std::string& text, std::size_t most) {
  if (text.size() <= most) return;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U) --most;
  text.resize(most);
}

}  // namespace

bool EventLedger::Affordable(const Regarding& regarding, MonotonicTime now) {
  const double per_second = 1 / std::chrono::duration<double>(limits_.refill).count();
  return allowances_.try_emplace(regarding, per_second, limits_.burst).first->second.Take(now);
}

void EventLedger::Forget(MonotonicTime now) {
  std::erase_if(series_,
                [&](const auto& entry) { return now - entry.second.heard_at >= limits_.forget; });
  std::erase_if(allowances_,
                [&](const auto& entry) { return now - entry.second.last() >= limits_.forget; });
}

EventWrite EventLedger::Written(Series& series, MonotonicTime now) {
  EventWrite write = series.write;
  series.write.first = false;
  series.written = series.write.count;
  series.written_at = now;
  return write;
}

std::optional<EventWrite> EventLedger::Tell(ClusterEvent event, MonotonicTime now, WallTime wall) {
  Cut(event.note, kMostNoteBytes);
  const EventRegarding& about = event.regarding;
  const Regarding regarding{about.kind, about.namespace_name, about.name, about.uid};
  const Key key{regarding, static_cast<int>(event.type), event.reason, event.action, event.note};
  auto found = series_.find(key);
  if (found != series_.end() && now - found->second.heard_at >= limits_.forget) {
    series_.erase(found);
    found = series_.end();
  }
  if (found != series_.end()) {
    Series& series = found->second;
    ++series.write.count;
    series.write.last = wall;
    series.heard_at = now;
    if (now - series.written_at < limits_.series_gap) return std::nullopt;
    return Written(series, now);
  }
  if (series_.size() >= limits_.most_series || allowances_.size() >= limits_.most_series) {
    Forget(now);
  }
  if (series_.size() >= limits_.most_series || allowances_.size() >= limits_.most_series ||
      !Affordable(regarding, now)) {
    ++dropped_;
    return std::nullopt;
  }
  std::string name = event.name;
  if (name.empty()) {
    name = about.name.substr(0, kMostNameBytes) + "." + salt_ + "." + Hex(++names_);
  }
  Series series{.write = {.first = true,
                          .name = std::move(name),
                          .event = std::move(event),
                          .began = wall,
                          .last = wall,
                          .count = 1},
                .written = 0,
                .written_at = now,
                .heard_at = now};
  return Written(series_.emplace(key, std::move(series)).first->second, now);
}

std::vector<EventWrite> EventLedger::Due(MonotonicTime now) {
  std::vector<EventWrite> due;
  for (auto& [key, series] : series_) {
    const bool grown = series.write.count > series.written;
    if (grown && now - series.written_at >= limits_.series_gap) due.push_back(Written(series, now));
  }
  Forget(now);
  return due;
}

void EventLedger::Lost(const std::string& name) {
  for (auto& [key, series] : series_) {
    if (series.write.name == name) series.write.first = true;
  }
}

}  // namespace fairlead::extender
