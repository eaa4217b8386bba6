// What bandwidth leases led to, as reports tell it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "common/base/clock.h"
#include "common/link/lease_result.h"
#include "linkprobe/bandwidth/daily_ledger.h"
#include "linkprobe/bandwidth/test_kind.h"

namespace fairlead::linkprobe {

struct LeaseOutcome {
  std::uint64_t lease_id = 0;
  LeaseResult result = LeaseResult::kAborted;
  std::string why{};  // one sentence; empty where it was measured
  std::uint64_t spent_bytes = 0;
};

// What the newest test of a kind has found of a line.
struct FoundRate {
  TestKind kind = TestKind::kTrain;
  double bytes_per_second = 0;  // on the wire
  MonotonicTime at{};
  bool at_least = false;  // something else than the line was the limit
};

inline constexpr std::size_t kOutcomesKept = 8;

// Pure, not thread-safe.
class LeaseBook {
 public:
  // A test of the line to that site found this; it replaces what one of its kind found before.
  void Found(const std::string& peer_site, const FoundRate& rate);
  // Of several with one id the first counts.
  void Ended(LeaseOutcome outcome);
  void Spent(DailyLedger ledger) { ledger_ = std::move(ledger); }

  // By kind; empty: nothing.
  const std::vector<FoundRate>& RatesTo(const std::string& peer_site) const;
  const std::map<std::string, std::vector<FoundRate>>& rates() const { return rates_; }
  // Oldest first, at most kOutcomesKept.
  const std::vector<LeaseOutcome>& outcomes() const { return outcomes_; }
  const DailyLedger& ledger() const { return ledger_; }
  const std::map<LeaseResult, std::uint64_t>& counts() const { return counts_; }

 private:
  std::map<std::string, std::vector<FoundRate>> rates_;
  std::vector<LeaseOutcome> outcomes_;
  std::map<LeaseResult, std::uint64_t> counts_;
  DailyLedger ledger_;
};

}  // namespace fairlead::linkprobe
