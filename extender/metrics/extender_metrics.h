// The extender's own counters and histograms, as Prometheus families.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "common/base/clock.h"
#include "common/config/config_watcher.h"
#include "extender/registry/registry_status.h"

namespace prometheus {
class Collectable;
}  // namespace prometheus

namespace fairlead::extender {

// Thread-safe; nothing here throws. Label values are limited to known words, so that no client can
// make series grow.
class ExtenderMetrics final : public RegistryObserver {
 public:
  ExtenderMetrics();
  ~ExtenderMetrics() override;

  // One HTTP request: fairlead_extender_requests_total and, where a handler was reached,
  // fairlead_extender_request_duration_seconds. A path that is not served counts as "other".
  void Served(std::string_view path, int status, std::optional<Nanoseconds> service);
  // A body of a scheduler that could not be read: fairlead_extender_decode_errors_total.
  void DecodeError(std::string_view reason);

  // Paths taken from probes: fairlead_extender_reports_accepted_total.
  void ReportsAccepted(std::size_t paths) override;
  // Paths, batches or streams refused: fairlead_extender_reports_refused_total.
  void ReportRefused(std::string_view reason) override;
  // Contents of the configuration taken and refused since the start, which never go back:
  // fairlead_extender_config_reloads_total. Keys that need a restart:
  // fairlead_extender_config_restart_needed.
  void ConfigReloads(const ReloadStats& stats);
  // What the ops server collects; lives as long as this.
  std::weak_ptr<prometheus::Collectable> collectable() const;

 private:
  struct Impl;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace fairlead::extender
