// fairlead-extender: ranks nodes for schedulers from measured links. Wiring only.
#include <getopt.h>

#include <csignal>
#include <cstdio>
#include <memory>
#include <string>

#include "common/base/file.h"
#include "common/base/log.h"
#include "common/base/snapshot.h"
#include "common/config/parse.h"
#include "common/http/http_server.h"
#include "common/ops/ops_server.h"
#include "extender/decision/decider.h"
#include "extender/decision/setup.h"
#include "extender/http/kube_protocol.h"
#include "extender/http/scheduler_routes.h"
#include "extender/metrics/extender_metrics.h"
#include "extender/metrics/link_collector.h"

namespace fairlead::extender {
namespace {

int Fatal(const Error& error) {
  std::fprintf(stderr, "fairlead-extender: %s\n", error.message.c_str());
  return 1;
}

Result<Config> LoadConfig(const std::string& path) {
  const Result<std::string> text = ReadFile(path, 1U << 20);
  if (!text) return Fail(text.error());
  return ParseConfig(*text, path);
}

int Run(const Config& config, const sigset_t& signals) {
  const SystemClock clock;
  Snapshot<Setup> setup(MakeSetup(config));
  Snapshot<LinkSnapshot> links;
  DecisionLog decisions;
  Decider decider(setup, links, clock, decisions);
  ExtenderMetrics metrics;
  const auto link_collector = std::make_shared<LinkCollector>(links);

  KubeProtocol kube(decider, setup, [&](std::string_view reason) { metrics.DecodeError(reason); });
  auto http = HttpServer::Bind(config.extender.http_listen, SchedulerHttpLimits());
  if (!http) return Fatal(http.error());
  AddSchedulerRoutes(**http, kube);
  (*http)->Observe([&](const HttpServer::Exchange& exchange) {
    metrics.Served(exchange.path, exchange.status, exchange.service);
  });

  auto ops = OpsServer::Start(config.extender.ops_listen, {.healthz =
                                                               [] {
                                                                 return Health{true, "ok"};
                                                               },
                                                           .readyz =
                                                               [] {
                                                                 return Health{true, "ok"};
                                                               }});
  if (!ops) return Fatal(ops.error());
  (*ops)->Add(metrics.collectable());
  (*ops)->Add(link_collector);
  (*http)->Start();
  LogInfo("serving", {{"http_port", (*http)->port()}, {"ops_port", (*ops)->port()}});

  int signal = 0;
  sigwait(&signals, &signal);
  LogInfo("stopping", {{"signal", signal}});
  return 0;
}

}  // namespace
}  // namespace fairlead::extender

int main(int argc, char** argv) {
  using namespace fairlead;
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  (void)argc;
  const auto config = extender::LoadConfig(argv[argc - 1]);
  if (!config) return extender::Fatal(config.error());
  return extender::Run(*config, signals);
}
