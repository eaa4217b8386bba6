// Everything the probe shows to Prometheus, read from the other loops' snapshots at scrape time.
#pragma once

#include <prometheus/collectable.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/config/config_watcher.h"
#include "linkprobe/bandwidth/lease_book.h"
#include "linkprobe/counter_files/counter_watch.h"
#include "linkprobe/engine/engine_snapshot.h"
#include "linkprobe/plugin/verdict_sender.h"
#include "linkprobe/report/report_status.h"
#include "linkprobe/session/open_outcome.h"
#include "linkprobe/session/session_dialer.h"

namespace fairlead::linkprobe {

// What one scrape reads.
struct MetricSources {
  std::string node;
  std::string version;
  std::function<std::string()> site;
  std::function<std::vector<std::shared_ptr<const EngineSnapshot>>()> engines;
  std::function<OpenCounts()> session_requests;
  std::function<std::shared_ptr<const std::map<std::string, DialStatus>>()> dials;
  std::function<ReportStatus()> report;
  std::function<VerdictStatus()> verdicts;
  std::function<ReloadStats()> config_reloads;
  std::function<std::shared_ptr<const CounterState>()> counters{};  // empty: none are read
  std::function<std::shared_ptr<const LeaseBook>()> leases{};       // empty: none are run
};

// Series of a peer exist as long as an engine knows the peer. Thread-safe if the sources are.
class ProbeMetrics final : public prometheus::Collectable {
 public:
  ProbeMetrics(MetricSources sources, const Clock& clock);

  std::vector<prometheus::MetricFamily> Collect() const override;

 private:
  const MetricSources sources_;
  const Clock& clock_;
};

}  // namespace fairlead::linkprobe
