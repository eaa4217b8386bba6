#include "linkprobe/bandwidth/lease_book.h"

#include <algorithm>
#include <utility>

namespace fairlead::linkprobe {

void LeaseBook::Found(const std::string& peer_site, const FoundRate& rate) {
  std::vector<FoundRate>& rates = rates_[peer_site];
  std::erase_if(rates, [&](const FoundRate& before) { return before.kind == rate.kind; });
  rates.push_back(rate);
  std::ranges::sort(rates, {}, &FoundRate::kind);
}

void LeaseBook::Ended(LeaseOutcome outcome) {
  const auto same = [&](const LeaseOutcome& before) { return before.lease_id == outcome.lease_id; };
  if (std::ranges::any_of(outcomes_, same)) return;
  ++counts_[outcome.result];
  outcomes_.push_back(std::move(outcome));
  if (outcomes_.size() > kOutcomesKept) outcomes_.erase(outcomes_.begin());
}

const std::vector<FoundRate>& LeaseBook::RatesTo(const std::string& peer_site) const {
  static const std::vector<FoundRate> kNone;
  const auto found = rates_.find(peer_site);
  return found == rates_.end() ? kNone : found->second;
}

}  // namespace fairlead::linkprobe
