// fairlead-extender: ranks nodes for schedulers from measured links. Wiring only:
//
//   probes -> RegistryServer -> RegistryLoop -> LinkSnapshot -> Decider <- HttpServer <- schedulers
#include <atomic>
#include <csignal>
#include <cstdio>
#include <memory>
#include <string>

#include "common/base/log.h"
#include "common/base/snapshot.h"
#include "common/cli/run_command.h"
#include "common/config/config_watcher.h"
#include "common/config/names.h"
#include "common/http/http_server.h"
#include "common/net/channel_security.h"
#include "common/net/grpc_log.h"
#include "common/ops/ops_server.h"
#include "extender/check/config_check.h"
#include "extender/command_line.h"
#include "extender/decision/decider.h"
#include "extender/decision/setup.h"
#include "extender/http/kube_protocol.h"
#include "extender/http/scheduler_routes.h"
#include "extender/http/volcano_protocol.h"
#include "extender/metrics/extender_metrics.h"
#include "extender/metrics/link_collector.h"
#include "extender/readiness.h"
#include "extender/registry/registry_loop.h"
#include "extender/registry/registry_server.h"
#include "extender/registry/token_directory.h"
#include "extender/web/web_routes.h"

namespace fairlead::extender {
namespace {

int Fatal(const Error& error) {
  std::fprintf(stderr, "fairlead-extender: %s\n", error.message.c_str());
  return 1;
}

// Null where plain text is allowed.
Result<std::unique_ptr<TlsServer>> MakeHttpTls(const TlsConfig& tls, const ListenAddress& address) {
  const auto security = ChooseSecurity(tls, FormatListenAddress(address));
  if (!security) return Fail(security.error());
  if (*security == ChannelSecurity::kPlaintext) return std::unique_ptr<TlsServer>();
  return TlsServer::Create(tls);
}

int Run(const std::string& config_file, const sigset_t& signals) {
  RouteGrpcLog();
  const SystemClock clock;
  Snapshot<Setup> setup;
  Snapshot<LinkSnapshot> links;
  Snapshot<RegistryStatus> status;
  DecisionLog decisions;
  ExtenderMetrics metrics;
  const auto collector = std::make_shared<LinkCollector>(links, status);

  std::atomic<const ConfigWatcher*> watching = nullptr;
  const auto take_over = [&] {
    const ConfigWatcher* const source = watching;
    if (!source) return;
    setup.Publish(MakeSetup(*source->config().Get()));
    metrics.ConfigReloads(source->stats());
  };
  auto watcher = ConfigWatcher::Create(
      config_file, clock,
      {.program = Program::kExtender, .on_reload = take_over, .started_with = std::nullopt});
  if (!watcher) return Fatal(watcher.error());
  const auto config = (*watcher)->config().Get();
  watching = watcher->get();
  take_over();
  const ExtenderConfig& own = config->extender;

  TokenDirectory tokens(own.token_directory, clock);
  if (const auto known = tokens.Check(); !known) {
    return Fatal(known.error().Within("extender.tokenDirectory"));
  }
  RegistryLoop loop(setup, clock, metrics, links, status);
  auto registry =
      RegistryServer::Start(own.grpc_listen, config->tls, setup, clock, tokens, metrics, loop);
  if (!registry) return Fatal(registry.error());

  Decider decider(setup, links, clock, decisions);
  EnqueueJudge judge(setup, links, clock, decisions);
  KubeProtocol kube(decider, setup, [&](std::string_view reason) { metrics.DecodeError(reason); });
  VolcanoProtocol volcano(decider, judge, setup,
                          [&](const DecodeFault& fault) { metrics.DecodeError(fault.reason); });
  auto security = MakeHttpTls(config->tls, own.http_listen);
  if (!security) return Fatal(security.error().Within("extender.httpListen"));
  auto http = HttpServer::Bind(own.http_listen, SchedulerHttpLimits(), *std::move(security));
  if (!http) return Fatal(http.error().Within("extender.httpListen"));
  AddSchedulerRoutes(**http, kube, volcano);
  AddWebRoutes(**http, {.links = links, .status = status, .decisions = decisions, .clock = clock});
  (*http)->Observe([&](const HttpServer::Exchange& exchange) {
    metrics.Served(exchange.path, exchange.status, exchange.service);
  });

  const auto alive = [] { return Health{true, "ok"}; };
  const auto ready = [&] {
    return JudgeReadiness(*setup.Get(), *status.Get(), (*watcher)->stats().restart_keys);
  };
  auto ops = OpsServer::Start(own.ops_listen, {.healthz = alive, .readyz = ready});
  if (!ops) return Fatal(ops.error().Within("extender.opsListen"));
  (*ops)->Add(metrics.collectable());
  (*ops)->Add(collector);
  (*http)->Start();
  LogInfo("serving", {{"http_port", (*http)->port()},
                      {"grpc_port", (*registry)->port()},
                      {"ops_port", (*ops)->port()}});

  int signal = 0;
  sigwait(&signals, &signal);
  LogInfo("stopping", {{"signal", signal}});
  loop.Stop();
  return 0;
}

int Check(const std::string& config_file) {
  if (const Status checked = CheckConfigFile(config_file); !checked) return Fatal(checked.error());
  std::printf("%s: ok\n", config_file.c_str());
  return 0;
}

}  // namespace
}  // namespace fairlead::extender

int main(int argc, char** argv) {
  using fairlead::extender::CommandLineVerdict;
  const sigset_t signals = fairlead::BlockTermination();
  const auto line = fairlead::extender::ReadCommandLine(argc, argv);
  switch (line.verdict) {
    case CommandLineVerdict::kRun:
      return fairlead::extender::Run(line.config_file, signals);
    case CommandLineVerdict::kCheckConfig:
      return fairlead::extender::Check(line.config_file);
    case CommandLineVerdict::kDone:
      return 0;
    case CommandLineVerdict::kWrong:
      return 2;
  }
  return 2;
}
