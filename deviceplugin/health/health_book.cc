#include "deviceplugin/health/health_book.h"

#include <algorithm>
#include <utility>

#include "deviceplugin/health/last_known.h"
#include "deviceplugin/inventory/device_id.h"

namespace fairlead::deviceplugin {

void HealthBook::See(Entry& entry, std::optional<Ailment> ailment, ReadSpan read) {
  const bool well = !ailment;
  const bool known = well || ailment->certain;
  entry.ailment = std::move(ailment);
  if (!known || well == entry.healthy) {
    entry.differs = false;
    return;
  }
  if (!entry.differs) {
    entry.differs = true;
    entry.differs_since = read.end;
  }
  const Nanoseconds patience = Patience(entry);
  if (patience > Nanoseconds(0) && read.begin - entry.differs_since < patience) return;
  entry.healthy = well;
  entry.differs = false;
  entry.since = read.end;
}

std::vector<WatchedHca> HealthBook::Update(const NodeInventory& inventory,
                                           std::span<const NicVerdict> verdicts, ReadSpan read) {
  for (auto& [id, entry] : entries_) {
    if (std::exchange(entry.present, false)) entry.gone_since = read.end;
  }
  KnownHcaIds known;
  for (const auto& [id, entry] : entries_) known[{HcaId(entry.hca), entry.hca.name}] = id;
  const std::vector<std::string> ids = HcaIds(inventory.hcas, known);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    auto [it, fresh] = entries_.try_emplace(ids[i]);
    Entry& entry = it->second;
    entry.hca = fresh ? inventory.hcas[i] : WithPortsAsKnown(inventory.hcas[i], entry.hca);
    std::optional<Ailment> ailment = AilmentOf(entry.hca, verdicts, read.end);
    entry.present = true;
    if (fresh) {
      entry.healthy = !ailment || !ailment->certain;
      entry.since = read.end;
    }
    See(entry, std::move(ailment), read);
  }
  std::vector<WatchedHca> told;
  for (auto it = entries_.begin(); it != entries_.end();) {
    Entry& entry = it->second;
    if (!entry.present) {
      if (read.begin - entry.gone_since >= settings_.remove_after) {
        it = entries_.erase(it);
        continue;
      }
      See(entry, Ailment{"removed", "the device has vanished"}, read);
    }
    told.push_back({.id = it->first,
                    .hca = entry.hca,
                    .present = entry.present,
                    .healthy = entry.healthy,
                    .known = !entry.ailment || entry.ailment->certain,
                    .reason = entry.ailment ? entry.ailment->reason : std::string_view{},
                    .sentence = entry.ailment ? entry.ailment->sentence : std::string{},
                    .since = entry.since});
    ++it;
  }
  return told;
}

std::optional<MonotonicTime> HealthBook::NextChange() const {
  std::optional<MonotonicTime> next;
  const auto consider = [&](MonotonicTime at) { next = next ? std::min(*next, at) : at; };
  for (const auto& [id, entry] : entries_) {
    if (entry.differs) consider(entry.differs_since + Patience(entry));
    if (!entry.present) consider(entry.gone_since + settings_.remove_after);
  }
  return next;
}

}  // namespace fairlead::deviceplugin
