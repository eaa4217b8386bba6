#include "extender/inventory/reservations.h"

namespace fairlead::extender {

void Reservations::Reserve(std::string_view uid, std::string_view node, std::uint32_t hcas,
                           MonotonicTime now) {
  Release(uid);
  if (uid.empty() || hcas == 0) return;
  pods_.emplace(uid, Reservation{.node = std::string(node), .hcas = hcas, .since = now});
  by_age_.emplace(now, uid);
  taken_[std::string(node)] += hcas;
}

void Reservations::Release(std::string_view uid) {
  const auto pod = pods_.find(uid);
  if (pod == pods_.end()) return;
  const auto taken = taken_.find(pod->second.node);
  taken->second -= pod->second.hcas;
  if (taken->second == 0) taken_.erase(taken);
  by_age_.erase({pod->second.since, pod->first});
  pods_.erase(pod);
}

void Reservations::Expire(Nanoseconds ttl, MonotonicTime now) {
  while (!by_age_.empty() && now - by_age_.begin()->first >= ttl) {
    const std::string uid = by_age_.begin()->second;
    Release(uid);
  }
}

std::map<std::string_view, std::uint32_t> Reservations::Taken(std::string_view except_uid) const {
  std::map<std::string_view, std::uint32_t> taken;
  for (const auto& [node, hcas] : taken_) taken.emplace(node, hcas);
  if (const auto own = pods_.find(except_uid); own != pods_.end()) {
    taken[own->second.node] -= own->second.hcas;
  }
  return taken;
}

}  // namespace fairlead::extender
