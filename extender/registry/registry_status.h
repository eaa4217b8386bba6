// What the registry shows of itself.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "extender/lease/lease_status.h"

namespace fairlead::extender {

struct RegistryStatus {
  std::map<std::string, std::uint32_t, std::less<>> connected;  // probes by site
  std::uint64_t plan_revision = 0;                              // 0: no plan made yet
  LeaseStatus leases{};
};

// Told of what becomes of reports and of lines. Thread-safe.
class RegistryObserver {
 public:
  virtual ~RegistryObserver() = default;
  virtual void ReportsAccepted(std::size_t paths) = 0;
  virtual void ReportRefused(std::string_view reason) = 0;
  // HealedSites of two snapshots that followed each other.
  virtual void LinesHealed(std::vector<std::string> sites) { static_cast<void>(sites); }
};

}  // namespace fairlead::extender
