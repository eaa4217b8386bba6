#include "extender/promql_api/promql_poller.h"

#include <condition_variable>
#include <mutex>
#include <utility>

#include "common/base/log.h"
#include "common/kube/api_connection.h"
#include "extender/promql_api/vector_codec.h"

namespace fairlead::extender {
namespace {

constexpr std::size_t kLargestAnswer = std::size_t{4} << 20;

// True when it was asked to stop.
bool WaitFor(const std::stop_token& stop, Nanoseconds wait) {
  std::mutex mutex;
  std::condition_variable_any changed;
  std::unique_lock lock(mutex);
  return changed.wait_for(lock, stop, wait, [&] { return stop.stop_requested(); });
}

// As the API takes it: a decimal number of seconds.
std::string InSeconds(Nanoseconds duration) {
  return std::to_string(std::chrono::duration<double>(duration).count());
}

void Count(QueryStatus& status, const SamplesPassedOver& passed) {
  const auto add = [&status](const char* reason, std::uint64_t count) {
    if (count > 0) status.passed_over[reason] += count;
  };
  add("no_label", passed.no_label);
  add("unknown_site", passed.unknown_site);
  add("no_number", passed.no_number);
  add("implausible", passed.implausible);
  add("repeated", passed.repeated);
}

}  // namespace

kube::Access AccessOf(const PrometheusConfig& config) {
  kube::Access access;
  access.server = config.url;
  while (access.server.ends_with('/')) access.server.pop_back();
  access.ca_file = config.ca_file;
  access.token_file = config.token_file;
  access.plaintext = config.plaintext;
  return access;
}

Result<std::unique_ptr<PromqlPoller>> PromqlPoller::Start(
    const PrometheusConfig& config, const std::string& user_agent,
    std::function<std::set<std::string>()> sites, const Clock& clock,
    Snapshot<ExternalReadings>& out) {
  auto connection = kube::ApiConnection::Create(
      AccessOf(config), user_agent, clock,
      {.connect = config.timeout, .answer = config.timeout, .most_bytes = kLargestAnswer});
  if (!connection) return Fail(connection.error().Within("extender.prometheus"));
  return std::unique_ptr<PromqlPoller>(
      new PromqlPoller(config, *std::move(connection), std::move(sites), clock, out));
}

PromqlPoller::PromqlPoller(const PrometheusConfig& config,
                           std::unique_ptr<kube::ApiConnection> connection,
                           std::function<std::set<std::string>()> sites, const Clock& clock,
                           Snapshot<ExternalReadings>& out)
    : config_(config),
      connection_(std::move(connection)),
      sites_(std::move(sites)),
      clock_(clock),
      out_(out),
      book_(config.stale_after) {
  for (const PrometheusQuery& query : config_.queries) {
    now_.queries.emplace_back().name = query.name;
  }
  status_.Publish(now_);
  thread_ = std::jthread([this](std::stop_token stop) { Run(stop); });
}

PromqlPoller::~PromqlPoller() = default;

void PromqlPoller::Run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    const MonotonicTime round = clock_.Now();
    for (std::size_t i = 0; i < config_.queries.size() && !stop.stop_requested(); ++i) {
      Ask(i, stop);
      out_.Publish(book_.Current(clock_.Now()));
      now_.queries[i].readings = book_.Count(i);
      status_.Publish(now_);
    }
    const Nanoseconds left = config_.interval - (clock_.Now() - round);
    if (left > Nanoseconds::zero() && WaitFor(stop, left)) return;
  }
}

void PromqlPoller::Ask(std::size_t index, const std::stop_token& stop) {
  const PrometheusQuery& query = config_.queries[index];
  QueryStatus& status = now_.queries[index];
  const MonotonicTime asked_at = clock_.Now();
  ++status.asked;
  const auto body =
      connection_->Call({.method = kube::Method::kGet,
                         .path = "/api/v1/query",
                         .query = {{"query", query.query}, {"timeout", InSeconds(config_.timeout)}},
                         .body = {}},
                        stop);
  if (!body) {
    if (body.error().failure == kube::ApiFailure::kStopped) return;
    Note(status, std::string(kube::ApiFailureName(body.error().failure)), body.error().message);
    return;
  }
  const auto vector = DecodeInstantVector(*body);
  if (!vector) {
    Note(status, "answer", "the answer " + vector.error().message);
    return;
  }
  status.last_answer = asked_at;
  LineReadings lines = ReadLines(query, *vector, sites_(), asked_at);
  Count(status, lines.passed_over);
  std::string trouble = std::move(lines.passed_over.example);
  if (vector->samples.empty()) trouble = "it gives no series";
  book_.Put(index, std::move(lines.readings));
  Note(status, {}, std::move(trouble));
}

// A trouble is told when it begins and when it becomes another one; an end is told, too.
void PromqlPoller::Note(QueryStatus& status, const std::string& reason, std::string trouble) {
  if (!reason.empty()) ++status.failures[reason];
  if (status.trouble == trouble) return;
  if (trouble.empty()) {
    LogInfo("a Prometheus query is well again", {{"query", status.name}});
  } else {
    LogWarning("a Prometheus query tells less than it should",
               {{"query", status.name}, {"reason", trouble}});
  }
  status.trouble = std::move(trouble);
}

}  // namespace fairlead::extender
