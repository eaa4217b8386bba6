// Asks a Prometheus about lines, again and again.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <set>
#include <stop_token>
#include <string>
#include <thread>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "common/base/snapshot.h"
#include "common/config/prometheus_config.h"
#include "common/kube/access.h"
#include "extender/link/external_reading.h"
#include "extender/promql/reading_book.h"
#include "extender/promql_api/promql_status.h"

namespace fairlead::kube {
class ApiConnection;
}

namespace fairlead::extender {

// How the server is reached: over HTTP/2 or 1.1 and TLS, with the token, where a file is named.
kube::Access AccessOf(const PrometheusConfig& config);

// One thread that sends each query once an interval, one after the other over one connection. What
// fails is counted, and told in the log when it begins or changes; readings known before stay
// until they are stale. Thread-safe.
class PromqlPoller {
 public:
  // Fails where the address or TLS files are wrong; dials nothing in the caller's thread. `sites`
  // tells the names that a label may hold; called on the poller's thread. All references outlive
  // the poller.
  static Result<std::unique_ptr<PromqlPoller>> Start(const PrometheusConfig& config,
                                                     const std::string& user_agent,
                                                     std::function<std::set<std::string>()> sites,
                                                     const Clock& clock,
                                                     Snapshot<ExternalReadings>& out);
  ~PromqlPoller();

  PromqlStatus status() const { return *status_.Get(); }

 private:
  PromqlPoller(const PrometheusConfig& config, std::unique_ptr<kube::ApiConnection> connection,
               std::function<std::set<std::string>()> sites, const Clock& clock,
               Snapshot<ExternalReadings>& out);
  void Run(const std::stop_token& stop);
  void Ask(std::size_t index, const std::stop_token& stop);
  void Note(QueryStatus& status, const std::string& reason, std::string trouble);

  const PrometheusConfig config_;
  const std::unique_ptr<kube::ApiConnection> connection_;
  const std::function<std::set<std::string>()> sites_;
  const Clock& clock_;
  Snapshot<ExternalReadings>& out_;
  ReadingBook book_;
  PromqlStatus now_;  // the thread's own
  Snapshot<PromqlStatus> status_;
  std::jthread thread_;
};

}  // namespace fairlead::extender
