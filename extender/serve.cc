// Wiring only:
//
//   probes -> RegistryServer -> RegistryLoop -> LinkSnapshot -> Decider <- HttpServer <- schedulers
#include "extender/serve.h"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/hex.h"
#include "common/base/log.h"
#include "common/base/log_limit.h"
#include "common/base/snapshot.h"
#include "common/config/config_watcher.h"
#include "common/config/names.h"
#include "common/http/http_server.h"
#include "common/net/channel_security.h"
#include "common/net/grpc_log.h"
#include "common/ops/ops_server.h"
#include "extender/decision/decider.h"
#include "extender/decision/enqueue.h"
#include "extender/decision/setup.h"
#include "extender/http/kube_protocol.h"
#include "extender/http/scheduler_routes.h"
#include "extender/http/volcano_protocol.h"
#include "extender/known_cluster.h"
#include "extender/link_status_api/link_publisher.h"
#include "extender/metrics/extender_metrics.h"
#include "extender/metrics/lease_collector.h"
#include "extender/metrics/link_collector.h"
#include "extender/metrics/link_publish_collector.h"
#include "extender/metrics/migration_collector.h"
#include "extender/metrics/promql_collector.h"
#include "extender/migrator/migration_loop.h"
#include "extender/mover/mover.h"
#include "extender/promql_api/promql_poller.h"
#include "extender/readiness.h"
#include "extender/registry/registry_loop.h"
#include "extender/registry/registry_server.h"
#include "extender/web/web_routes.h"

namespace fairlead::extender {
namespace {

// Null where plain text is allowed.
Result<std::unique_ptr<TlsServer>> MakeHttpTls(const TlsConfig& tls, const ExtenderConfig& own) {
  const auto security = ChooseSecurity(tls, FormatListenAddress(own.http_listen));
  if (!security) return Fail(security.error());
  if (*security == ChannelSecurity::kPlaintext) return std::unique_ptr<TlsServer>();
  return TlsServer::Create(
      tls, own.client_certificates ? ClientCertificate::kRequired : ClientCertificate::kNotAsked);
}

// What the registry tells, to whom it matters.
class RegistryNews final : public RegistryObserver {
 public:
  RegistryNews(ExtenderMetrics& metrics, KnownCluster& cluster)
      : metrics_(metrics), cluster_(cluster) {}

  void ReportsAccepted(std::size_t paths) override { metrics_.ReportsAccepted(paths); }
  void ReportRefused(std::string_view reason) override { metrics_.ReportRefused(reason); }
  void LinesHealed(std::vector<std::string> sites) override {
    cluster_.LinesHealed(std::move(sites));
  }

 private:
  ExtenderMetrics& metrics_;
  KnownCluster& cluster_;
};

// Null where the configuration names no Prometheus. Series may name sites of the file and of nodes.
Result<std::unique_ptr<PromqlPoller>> StartPromql(const Config& config,
                                                  const Snapshot<LinkSnapshot>& links,
                                                  const Clock& clock,
                                                  Snapshot<ExternalReadings>& external) {
  if (config.extender.prometheus.url.empty()) return std::unique_ptr<PromqlPoller>();
  std::set<std::string> configured;
  for (const SiteConfig& site : config.sites) configured.insert(site.name);
  const auto sites = [&links, configured] {
    std::set<std::string> names = configured;
    const auto known = links.Get();  // kept: a new one may be published meanwhile
    for (const LinkView& link : known->links) names.insert(link.key.from_site);
    return names;
  };
  return PromqlPoller::Start(config.extender.prometheus, "fairlead-extender/" FAIRLEAD_VERSION,
                             sites, clock, external);
}

// Null where there is no API server, and so no gang.
Result<std::unique_ptr<Mover>> StartMover(KnownCluster& cluster, const Snapshot<Config>& config,
                                          const Clock& clock) {
  auto connection = cluster.Connect(kMoveLimits);
  if (!connection) return Fail(connection.error().Within("extender.kubernetes"));
  if (!*connection) return std::unique_ptr<Mover>();
  std::random_device random;
  const std::string process =
      Hex((static_cast<std::uint64_t>(random()) << 32U) | std::uint64_t{random()});
  return std::make_unique<Mover>(MoverSources{.config = config,
                                              .cluster = cluster.view(),
                                              .leadership = cluster.leadership(),
                                              .clock = clock},
                                 MoveClient(*std::move(connection), clock), cluster.events(),
                                 process);
}

// Null where there is no API server.
Result<std::unique_ptr<LinkPublisher>> StartLinkPublisher(KnownCluster& cluster,
                                                          const Snapshot<LinkSnapshot>& links,
                                                          const Clock& clock) {
  auto connection = cluster.Connect(kLinkLimits);
  if (!connection) return Fail(connection.error().Within("extender.kubernetes"));
  if (!*connection) return std::unique_ptr<LinkPublisher>();
  return std::make_unique<LinkPublisher>(
      LinkPublisherSources{.links = links,
                           .leadership = cluster.leadership(),
                           .clock = clock,
                           .settled = [&cluster] { return cluster.settled(); }},
      *std::move(connection), std::random_device()());
}

constexpr Nanoseconds kFirstList = Seconds(10);

// Until nodes and gangs are known, and who leads: by an answer without, pods of a gang go anywhere,
// while a scheduler that gets none asks again. Not for ever, because the pages say what is wrong.
// The signal that came meanwhile, or 0.
int AwaitNodes(const Snapshot<Setup>& setup, const KnownCluster& cluster, const Clock& clock,
               const sigset_t& signals) {
  constexpr timespec kPause{.tv_sec = 0, .tv_nsec = 10'000'000};
  const MonotonicTime begin = clock.Now();
  const auto known = [&] {
    const MonotonicTime now = clock.Now();
    return cluster.view().Get()->Age(now) && cluster.settled() && cluster.health(now).ok;
  };
  while (setup.Get()->cluster_stale_after && !known() && clock.Now() - begin < kFirstList) {
    if (const int signal = sigtimedwait(&signals, nullptr, &kPause); signal > 0) return signal;
  }
  return 0;
}

}  // namespace

Status Serve(const std::string& config_file, const std::string& pod, const sigset_t& signals) {
  RouteGrpcLog();
  const SystemClock clock;
  Snapshot<Setup> setup;
  Snapshot<LinkSnapshot> links;
  Snapshot<ExternalReadings> external;
  Snapshot<RegistryStatus> status;
  DecisionLog decisions;
  ExtenderMetrics metrics;
  const auto collector = std::make_shared<LinkCollector>(links, status);
  const auto lease_collector = std::make_shared<LeaseCollector>(status);

  // The setup follows from the configuration and the nodes, which two threads renew. What they call
  // is declared before what calls it, so that it is there for as long.
  std::mutex renewing;
  Snapshot<Config> newest;
  std::unique_ptr<KnownCluster> cluster;
  const auto renew = [&] {
    const std::lock_guard lock(renewing);
    setup.Publish(MakeSetup(*newest.Get(), cluster->view().Get()->names()));
  };
  const auto nodes_came = [&, revision = std::uint64_t{0}]() mutable {
    const std::uint64_t now = cluster->view().Get()->nodes_revision();
    if (std::exchange(revision, now) != now) renew();
  };
  std::atomic<const ConfigWatcher*> watching = nullptr;
  const auto take_over = [&] {
    const ConfigWatcher* const source = watching;
    if (!source) return;
    newest.Publish(*source->config().Get());
    cluster->Configure(*newest.Get());
    renew();
    metrics.ConfigReloads(source->stats());
  };
  auto watcher = ConfigWatcher::Create(config_file, clock,
                                       {.program = Program::kExtender,
                                        .on_reload = take_over,
                                        .started_with = std::nullopt,
                                        .judge = [&](const Config& next) {
                                          return watching ? cluster->CheckEdit(next) : Status();
                                        }});
  if (!watcher) return Fail(watcher.error());
  const auto config = (*watcher)->config().Get();
  const ExtenderConfig& own = config->extender;
  auto known = KnownCluster::Create(*config, pod, clock, nodes_came);
  if (!known) return Fail(known.error());
  cluster = *std::move(known);
  watching = watcher->get();
  take_over();
  cluster->Start();

  auto promql = StartPromql(*config, links, clock, external);
  if (!promql) return Fail(promql.error());
  const auto promql_collector = std::make_shared<PromqlCollector>(
      [&] { return *promql ? (*promql)->status() : PromqlStatus(); }, clock);
  auto mover = StartMover(*cluster, newest, clock);
  if (!mover) return Fail(mover.error());
  const Snapshot<MovesReport> nothing_moves;
  const Snapshot<MovesReport>& moves = *mover ? (*mover)->report() : nothing_moves;
  Decider decider({setup, cluster->view(), links, cluster->leadership(), clock, &moves}, decisions,
                  cluster->events());
  MigrationLoop migrations({.config = newest,
                            .setup = setup,
                            .cluster = cluster->view(),
                            .links = links,
                            .leadership = cluster->leadership(),
                            .clock = clock,
                            .room_of =
                                [&](const GangView& gang, std::shared_ptr<const ClusterView> view) {
                                  return decider.RoomOfWhole(gang, std::move(view));
                                },
                            .moves = *mover ? &moves : nullptr,
                            .made =
                                [&](std::shared_ptr<const MigrationReport> round) {
                                  if (*mover) (*mover)->RoundMade(std::move(round));
                                }},
                           cluster->events());
  RegistryNews news(metrics, *cluster);
  RegistryLoop loop(setup, clock, news, links, status, &cluster->leadership(), &external,
                    [&] { return decider.LinesOfGangs(); });
  auto registry = RegistryServer::Start(own.grpc_listen, config->tls, setup, clock,
                                        cluster->tokens(), news, loop);
  if (!registry) return Fail(registry.error());

  auto publisher = StartLinkPublisher(*cluster, links, clock);
  if (!publisher) return Fail(publisher.error());
  const auto published = [&] { return *publisher ? (*publisher)->status() : LinkPublishStatus(); };

  EnqueueJudge judge(cluster->view(), links, clock, decisions);
  KubeProtocol kube(decider, setup, [&](std::string_view reason) { metrics.DecodeError(reason); });
  LogLimit warnings(1, Seconds(60));
  VolcanoProtocol volcano(decider, judge, setup, [&](const DecodeFault& fault) {
    metrics.DecodeError(fault.reason);
    // Volcano is told nothing that would stop it, so that only the log can say why.
    if (const auto held_back = warnings.Pass(clock.Now())) {
      LogWarning("a body of Volcano's cannot be read and is answered with no opinion",
                 {{"reason", fault.message}, {"others_since_the_last_line", *held_back}});
    }
  });
  auto security = MakeHttpTls(config->tls, own);
  if (!security) return Fail(security.error().Within("extender.httpListen"));
  auto http = HttpServer::Bind(own.http_listen, SchedulerHttpLimits(), *std::move(security));
  if (!http) return Fail(http.error().Within("extender.httpListen"));
  AddSchedulerRoutes(**http, kube, volcano, [&] { return cluster->WhyNotHere(clock.Now()); });
  AddWebRoutes(**http, {.links = links,
                        .status = status,
                        .decisions = decisions,
                        .migrations = migrations.report(),
                        .moves = moves,
                        .clock = clock});
  (*http)->Observe([&](const HttpServer::Exchange& exchange) {
    metrics.Served(exchange.path, exchange.status, exchange.service);
  });

  const auto alive = [] { return Health{true, "ok"}; };
  const auto ready = [&] {
    return JudgeReadiness(cluster->health(clock.Now()), *cluster->view().Get(), *status.Get(),
                          {StuckText(*moves.Get()), published().trouble},
                          (*watcher)->stats().restart_keys);
  };
  auto ops = OpsServer::Start(own.ops_listen, {.healthz = alive, .readyz = ready});
  if (!ops) return Fail(ops.error().Within("extender.opsListen"));
  (*ops)->Add(metrics.collectable());
  (*ops)->Add(collector);
  (*ops)->Add(lease_collector);
  for (const auto& more : cluster->collectables()) (*ops)->Add(more);
  (*ops)->Add(promql_collector);
  const auto migration_collector = std::make_shared<MigrationCollector>(migrations.report(), moves);
  (*ops)->Add(migration_collector);
  const auto publish_collector = std::make_shared<LinkPublishCollector>(published);
  if (*publisher) (*ops)->Add(publish_collector);
  int signal = AwaitNodes(setup, *cluster, clock, signals);
  (*http)->Start();
  LogInfo("serving", {{"http_port", (*http)->port()},
                      {"grpc_port", (*registry)->port()},
                      {"ops_port", (*ops)->port()}});

  if (signal == 0) sigwait(&signals, &signal);
  LogInfo("stopping", {{"signal", signal}});
  migrations.Stop();
  if (*mover) (*mover)->Stop();
  if (*publisher) (*publisher)->Stop();
  cluster->Stop();
  loop.Stop();
  return {};
}

}  // namespace fairlead::extender
