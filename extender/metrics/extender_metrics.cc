#include "extender/metrics/extender_metrics.h"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <string>

namespace fairlead::extender {
namespace {

constexpr std::array<std::string_view, 22> kPaths{"/kube/filter",
                                                  "/kube/prioritize",
                                                  "/kube/preempt",
                                                  "/volcano/prioritize",
                                                  "/volcano/predicate",
                                                  "/volcano/jobEnqueueable",
                                                  "/volcano/onSessionOpen",
                                                  "/volcano/onSessionClose",
                                                  "/volcano/preemptable",
                                                  "/volcano/reclaimable",
                                                  "/volcano/queueOverused",
                                                  "/volcano/jobEnqueued",
                                                  "/volcano/jobReady",
                                                  "/volcano/allocateFunc",
                                                  "/volcano/deallocateFunc",
                                                  "/links",
                                                  "/links.json",
                                                  "/explain",
                                                  "/explain.json",
                                                  "/migrations",
                                                  "/migrations.json",
                                                  "other"};

// From a fifth of a millisecond, which 500 names should take, to the seconds of a stuck client.
const prometheus::Histogram::BucketBoundaries kSeconds{
    50e-6, 100e-6, 200e-6, 300e-6, 500e-6, 1e-3, 2e-3, 5e-3, 10e-3, 25e-3, 50e-3, 0.1, 0.25, 1, 5};

// The label of a path: itself where it is served, else the last, "other".
std::size_t PathIndex(std::string_view path) {
  return static_cast<std::size_t>(std::find(kPaths.begin(), kPaths.end() - 1, path) -
                                  kPaths.begin());
}

}  // namespace

struct ExtenderMetrics::Impl {
  std::shared_ptr<prometheus::Registry> registry = std::make_shared<prometheus::Registry>();
  prometheus::Family<prometheus::Counter>& requests =
      prometheus::BuildCounter()
          .Name("fairlead_extender_requests_total")
          .Help("HTTP requests by path and status code; code 0: no complete request came.")
          .Register(*registry);
  prometheus::Family<prometheus::Histogram>& durations =
      prometheus::BuildHistogram()
          .Name("fairlead_extender_request_duration_seconds")
          .Help("From the last byte of a request's body to the answer in the kernel's hands.")
          .Register(*registry);
  prometheus::Family<prometheus::Counter>& decode_errors =
      prometheus::BuildCounter()
          .Name("fairlead_extender_decode_errors_total")
          .Help("Bodies of schedulers that could not be read, by reason.")
          .Register(*registry);
  prometheus::Family<prometheus::Counter>& accepted =
      prometheus::BuildCounter()
          .Name("fairlead_extender_reports_accepted_total")
          .Help("Path reports taken from probes.")
          .Register(*registry);
  prometheus::Family<prometheus::Counter>& refused =
      prometheus::BuildCounter()
          .Name("fairlead_extender_reports_refused_total")
          .Help("Streams, batches and path reports of probes refused, by reason.")
          .Register(*registry);
  prometheus::Family<prometheus::Counter>& reloads =
      prometheus::BuildCounter()
          .Name("fairlead_extender_config_reloads_total")
          .Help("Changed configuration files that were read while running.")
          .Register(*registry);
  prometheus::Family<prometheus::Gauge>& restart_needed =
      prometheus::BuildGauge()
          .Name("fairlead_extender_config_restart_needed")
          .Help("1 for a changed configuration key that takes effect at the next start only.")
          .Register(*registry);
  prometheus::Counter& reports_accepted = accepted.Add({});
  prometheus::Counter& reloads_applied = reloads.Add({{"result", "applied"}});
  prometheus::Counter& reloads_refused = reloads.Add({{"result", "refused"}});
  // Found once, because finding a series again costs more than counting. By path.
  std::array<prometheus::Counter*, kPaths.size()> ok_requests{};
  std::array<prometheus::Histogram*, kPaths.size()> path_durations{};

  Impl() {
    for (std::size_t i = 0; i < kPaths.size(); ++i) {
      const std::string path(kPaths[i]);
      ok_requests[i] = &requests.Add({{"path", path}, {"code", "200"}});
      path_durations[i] = &durations.Add({{"path", path}}, kSeconds);
    }
  }
};

ExtenderMetrics::ExtenderMetrics() : impl_(std::make_unique<Impl>()) {}
ExtenderMetrics::~ExtenderMetrics() = default;

void ExtenderMetrics::Served(std::string_view path, int status,
                             std::optional<Nanoseconds> service) {
  const std::size_t index = PathIndex(path);
  if (status == 200) {
    impl_->ok_requests[index]->Increment();
  } else {
    impl_->requests.Add({{"path", std::string(kPaths[index])}, {"code", std::to_string(status)}})
        .Increment();
  }
  if (!service) return;
  impl_->path_durations[index]->Observe(std::chrono::duration<double>(*service).count());
}

void ExtenderMetrics::DecodeError(std::string_view reason) {
  impl_->decode_errors.Add({{"reason", std::string(reason)}}).Increment();
}

void ExtenderMetrics::ReportsAccepted(std::size_t paths) {
  impl_->reports_accepted.Increment(static_cast<double>(paths));
}

void ExtenderMetrics::ReportRefused(std::string_view reason) {
  impl_->refused.Add({{"reason", std::string(reason)}}).Increment();
}

void ExtenderMetrics::ConfigReloads(const ReloadStats& stats) {
  const auto raise = [](prometheus::Counter& counter, std::uint64_t total) {
    counter.Increment(static_cast<double>(total) - counter.Value());
  };
  raise(impl_->reloads_applied, stats.successes);
  raise(impl_->reloads_refused, stats.failures);
  for (const RestartKey& key : stats.restart_keys) {
    impl_->restart_needed.Add({{"key", std::string(key.key)}}).Set(key.pending ? 1 : 0);
  }
}

std::weak_ptr<prometheus::Collectable> ExtenderMetrics::collectable() const {
  return impl_->registry;
}

}  // namespace fairlead::extender
