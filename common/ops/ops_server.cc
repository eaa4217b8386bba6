#include "common/ops/ops_server.h"

#include <prometheus/collectable.h>
#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <algorithm>
#include <iterator>
#include <mutex>
#include <utility>
#include <vector>

#include "common/http/http_server.h"

namespace fairlead {
namespace {

constexpr char kText[] = "text/plain; charset=utf-8";
constexpr char kMetricsText[] = "text/plain; version=0.0.4; charset=utf-8";

void Answer(const std::function<Health()>& check, httplib::Response& response) {
  const Health health = check();
  response.status = health.ok ? 200 : 503;
  response.set_content((health.reason.empty() ? std::string("ok") : health.reason) + "\n", kText);
}

// The text format allows one header for each name.
void Merge(std::vector<prometheus::MetricFamily>& families,
           std::vector<prometheus::MetricFamily> more) {
  for (prometheus::MetricFamily& family : more) {
    const auto same =
        std::find_if(families.begin(), families.end(),
                     [&](const prometheus::MetricFamily& f) { return f.name == family.name; });
    if (same == families.end()) {
      families.push_back(std::move(family));
    } else {
      std::move(family.metric.begin(), family.metric.end(), std::back_inserter(same->metric));
    }
  }
}

}  // namespace

struct OpsServer::Impl {
  std::mutex mutex;
  std::vector<std::weak_ptr<prometheus::Collectable>> collectables;  // guarded by mutex
  Checks checks;
  std::unique_ptr<HttpServer> server;

  std::string Metrics() {
    std::vector<std::shared_ptr<prometheus::Collectable>> alive;
    {
      std::lock_guard lock(mutex);
      std::erase_if(collectables, [](const auto& weak) { return weak.expired(); });
      for (const auto& weak : collectables) {
        if (auto collectable = weak.lock()) alive.push_back(std::move(collectable));
      }
    }
    std::vector<prometheus::MetricFamily> families;
    for (const auto& collectable : alive) Merge(families, collectable->Collect());
    return prometheus::TextSerializer().Serialize(families);
  }
};

OpsServer::OpsServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

OpsServer::~OpsServer() { Stop(); }

Result<std::unique_ptr<OpsServer>> OpsServer::Start(const ListenAddress& address, Checks checks) {
  auto server = HttpServer::Bind(address, OpsHttpLimits());
  if (!server) return Fail(server.error().Within("ops listener"));
  auto impl = std::make_unique<Impl>();
  impl->checks = std::move(checks);
  impl->server = *std::move(server);
  Impl* self = impl.get();
  using Request = HttpServer::Request;
  using Response = HttpServer::Response;
  self->server->Route("GET", "/metrics", [self](const Request&, Response& response) {
    response.set_content(self->Metrics(), kMetricsText);
  });
  self->server->Route("GET", "/healthz", [self](const Request&, Response& response) {
    Answer(self->checks.healthz, response);
  });
  self->server->Route("GET", "/readyz", [self](const Request&, Response& response) {
    Answer(self->checks.readyz, response);
  });
  self->server->Route("GET", "/", [](const Request&, Response& response) {
    response.set_content("/metrics\n/healthz\n/readyz\n", kText);
  });
  self->server->Start();
  return std::unique_ptr<OpsServer>(new OpsServer(std::move(impl)));
}

void OpsServer::Add(std::weak_ptr<prometheus::Collectable> collectable) {
  std::lock_guard lock(impl_->mutex);
  impl_->collectables.push_back(std::move(collectable));
}

std::uint16_t OpsServer::port() const { return impl_->server->port(); }

void OpsServer::Stop() { impl_->server->Stop(); }

}  // namespace fairlead
