#include "extender/migration/move_ledger.h"

#include <algorithm>

namespace fairlead::extender {
namespace {

GangKey WithoutIncarnation(const GangKey& gang) {
  return {gang.kind, gang.namespace_name, gang.id, {}};
}

std::uint32_t In(const SiteCounts& counts, std::string_view site) {
  const auto found = counts.find(site);
  return found == counts.end() ? 0 : found->second;
}

}  // namespace

std::set<std::string> SitesJoined(const SiteCounts& from, const SiteCounts& to) {
  std::set<std::string> sites;
  for (const auto& [site, members] : to) {
    if (members > In(from, site)) sites.insert(site);
  }
  return sites;
}

std::set<std::string> SitesTouched(const SiteCounts& from, const SiteCounts& to) {
  std::set<std::string> sites = SitesJoined(from, to);
  sites.merge(SitesJoined(to, from));
  return sites;
}

void MoveLedger::Note(const GangKey& gang, const PastMove& move, MonotonicTime now) {
  const bool under_way = !move.ended_ago;
  const Key key{WithoutIncarnation(gang), move.id};
  const MonotonicTime begun = now - std::max(move.begun_ago, Nanoseconds(0));
  const auto pending = entries_.find(Key{key.gang, {}});
  // The record is written after the decision, by the same clock.
  if (pending != entries_.end() && begun + Seconds(1) >= pending->second.begun) {
    entries_.erase(pending);
  }
  if (!under_way && !move.disturbed) {
    entries_.erase(key);
    return;
  }
  entries_[key] = {.begun = begun,
                   .noted = now,
                   .under_way = under_way,
                   .pending = false,
                   .touched = SitesTouched(move.from, move.to),
                   .joined = SitesJoined(move.from, move.to)};
}

void MoveLedger::Decided(const GangKey& gang, const SiteCounts& from, const SiteCounts& to,
                         MonotonicTime now) {
  entries_[Key{WithoutIncarnation(gang), {}}] = {.begun = now,
                                                 .noted = now,
                                                 .under_way = true,
                                                 .pending = true,
                                                 .touched = SitesTouched(from, to),
                                                 .joined = SitesJoined(from, to)};
}

void MoveLedger::Withdraw(const GangKey& gang) {
  entries_.erase(Key{WithoutIncarnation(gang), {}});
}

void MoveLedger::Expire(MonotonicTime now, Nanoseconds keep) {
  for (auto& [key, entry] : entries_) {
    if (entry.under_way && now - entry.noted > kDecisionStands) entry.under_way = false;
  }
  std::erase_if(entries_, [&](const auto& item) {
    const Entry& entry = item.second;
    return !entry.under_way && (entry.pending || now - entry.begun > keep);
  });
}

bool MoveLedger::Pending(const GangKey& gang) const {
  return entries_.contains(Key{WithoutIncarnation(gang), {}});
}

std::set<std::string> MoveLedger::PendingDestinations() const {
  std::set<std::string> sites;
  for (const auto& [key, entry] : entries_) {
    if (entry.pending) sites.insert(entry.joined.begin(), entry.joined.end());
  }
  return sites;
}

template <class Counts>
MoveLedger::Use MoveLedger::Count(MonotonicTime since, Counts counts) const {
  Use use;
  for (const auto& [key, entry] : entries_) {
    if (!counts(key, entry)) continue;
    if (entry.under_way) ++use.under_way;
    if (!entry.under_way && entry.begun < since) continue;
    ++use.in_window;
    if (!use.oldest || entry.begun < *use.oldest) use.oldest = entry.begun;
  }
  return use;
}

MoveLedger::Use MoveLedger::OfCluster(MonotonicTime since) const {
  return Count(since, [](const Key&, const Entry&) { return true; });
}

MoveLedger::Use MoveLedger::OfSite(std::string_view site, MonotonicTime since) const {
  return Count(since, [&](const Key&, const Entry& entry) {
    return entry.touched.contains(std::string(site));
  });
}

MoveLedger::Use MoveLedger::OfNamespace(std::string_view name, MonotonicTime since) const {
  return Count(since,
               [&](const Key& key, const Entry&) { return key.gang.namespace_name == name; });
}

std::optional<MonotonicTime> MoveLedger::LastArrival(std::string_view site) const {
  std::optional<MonotonicTime> last;
  for (const auto& [key, entry] : entries_) {
    if (!entry.joined.contains(std::string(site))) continue;
    if (!last || entry.begun > *last) last = entry.begun;
  }
  return last;
}

}  // namespace fairlead::extender
