#include "linkprobe/daemon.h"

#include <grpcpp/security/credentials.h>
#include <grpcpp/security/server_credentials.h>

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/base/log.h"
#include "common/config/config_watcher.h"
#include "common/config/names.h"
#include "common/net/call_token.h"
#include "common/net/credentials.h"
#include "common/ops/ops_server.h"
#include "linkprobe/counter_files/counter_watch.h"
#include "linkprobe/counter_files/host_counters.h"
#include "linkprobe/counter_files/probed_ports.h"
#include "linkprobe/lease/lease_runner.h"
#include "linkprobe/metrics/health.h"
#include "linkprobe/metrics/probe_metrics.h"
#include "linkprobe/nic/nic_judge.h"
#include "linkprobe/plugin/verdict_sender.h"
#include "linkprobe/report/replica_reports.h"
#include "linkprobe/report/reported_hcas.h"
#include "linkprobe/session/handshake.h"
#include "linkprobe/session/peer_address.h"
#include "linkprobe/session/session_server.h"
#include "linkprobe/transport/open_bulk.h"
#include "linkprobe/transport/open_transport.h"
#include "linkprobe/udp/train_socket.h"

namespace fairlead::linkprobe {
namespace {

Result<std::shared_ptr<grpc::Channel>> Dial(const Config& config, const std::string& address) {
  const auto credentials = MakeChannelCredentials(config.tls, address);
  if (!credentials) return Fail(credentials.error());
  return MakeChannel(address, *credentials, config.linkprobe.peer_certificate_name);
}

// One of the addresses that `extender` leads to; what is asked of TLS is asked of that name.
Result<std::shared_ptr<grpc::Channel>> DialReplica(const TlsConfig& tls,
                                                   const std::string& extender,
                                                   const std::string& address) {
  const auto credentials = MakeChannelCredentials(tls, extender);
  if (!credentials) return Fail(credentials.error());
  const auto named = ParseHostPort(extender);
  return MakeChannel(address, *credentials, named ? named->host : std::string());
}

std::vector<TransportKind> KindsOf(TransportChoice choice) {
  switch (choice) {
    case TransportChoice::kAuto:
      return {TransportKind::kRdmaUd, TransportKind::kUdp};
    case TransportChoice::kVerbs:
      return {TransportKind::kRdmaUd};
    case TransportChoice::kUdp:
      return {TransportKind::kUdp};
  }
  return {};
}

TransportOptions OptionsFrom(const LinkprobeConfig& probe) {
  return {.device = probe.device,
          .udp_host = probe.udp_listen.host,
          .udp_first_port = probe.udp_listen.port,
          .paths = probe.paths,
          .traffic_class = static_cast<std::uint8_t>(probe.traffic_class)};
}

EngineSettings SettingsFrom(const Config& config, std::uint64_t epoch) {
  EngineSettings settings;
  settings.epoch = epoch;
  settings.seed = RandomId();
  settings.probes_per_second = config.linkprobe.probes_per_second;
  settings.report_window = config.linkprobe.report_window;
  settings.detector = config.detector;
  return settings;
}

}  // namespace

Status RunDaemon(const DaemonCommand& command, const sigset_t& signals) {
  SetLogLevel(command.log_level);
  const auto config = ReadConfigFile(command.config_file);
  if (!config) return Fail(config.error());
  const LinkprobeConfig& probe = config->linkprobe;
  const SystemClock clock;
  const SessionIdentity identity{.node = command.node_name, .epoch = RandomId()};

  // Engines, one per transport, in order of preference.
  EngineSettings settings = SettingsFrom(*config, identity.epoch);
  RoundTripTap tap;
  std::vector<std::unique_ptr<ProbeEngine>> engines;
  std::vector<ProbeEngine*> engine_list;
  settings.on_reply = [&tap](const SeenReply& seen) { tap.Add(seen); };
  for (const TransportKind kind : KindsOf(probe.transport)) {
    engines.push_back(
        std::make_unique<ProbeEngine>(kind, settings, FactoryFor(kind, OptionsFrom(probe)), clock));
    engine_list.push_back(engines.back().get());
  }
  const auto states = [&] {
    std::vector<std::shared_ptr<const EngineSnapshot>> all;
    for (const ProbeEngine* engine : engine_list) all.push_back(engine->Latest());
    return all;
  };

  Snapshot<Plan> plan;

  // counters of this host's ports -> reports and /metrics
  HostCounters host_counters("", clock);
  const CounterWatch counters({.read = [&] { return host_counters.Read(); },
                               .probes = [&] { return ProbedPorts(states()); },
                               .lines =
                                   [&](const auto& traffic) {
                                     return UseOfLines(plan.Get()->site, config->lines, traffic);
                                   }},
                              clock);

  // extender -> plan -> desk and dialer -> engines -> reports -> extender
  SessionDesk desk(identity, plan, engine_list, clock);
  const std::string listen = FormatListenAddress(probe.session_listen);
  const auto credentials = MakeServerCredentials(config->tls, listen);
  if (!credentials) return Fail(credentials.error().Within("linkprobe.sessionListen"));
  const auto traffic_class = static_cast<std::uint8_t>(probe.traffic_class);
  MeasureDesk measure(
      identity.node, plan,
      {.bulk = BulkReceivers(probe.device, traffic_class), .train = CreateTrainReceiver}, clock);
  const auto server = SessionServer::Start(listen, *credentials, desk, &measure);
  if (!server) return Fail(server.error());
  const auto dial = [&](const std::string& address) { return Dial(*config, address); };
  const SessionDialer dialer(identity, plan, engine_list, probe.probes_per_second, desk, dial,
                             clock);
  const LeaseRunner leases({.node = identity.node,
                            .device = probe.device,
                            .traffic_class = traffic_class,
                            .ledger_file = probe.bandwidth_ledger},
                           plan, dial, tap, measure, clock);
  const TokenSource token(probe.token_file);
  const ReplicaReports reports(
      {.node = identity.node,
       .epoch = identity.epoch,
       .software_version = FAIRLEAD_VERSION,
       .traffic_class = probe.traffic_class,
       .interval = probe.report_interval},
      {.addresses = [&] { return ReplicaAddresses(probe.extender_address); },
       .channel =
           [&](const std::string& address) {
             return DialReplica(config->tls, probe.extender_address, address);
           },
       .session_address =
           [&, port = (*server)->port()](const std::string& replica) {
             return AdvertisedAddress(probe.session_advertise, probe.session_listen.host, port,
                                      replica);
           },
       .authorize = [&](grpc::ClientContext& call) { return AddToken(token, call); },
       .hcas = ReadReportedHcas,
       .counters = [&] { return counters.Latest(); },
       .leases = [&] { return leases.Latest(); }},
      engine_list, plan, clock);

  // Detector settings apply while running; everything else at the next start.
  std::atomic<const ConfigWatcher*> current{nullptr};
  const auto apply = [&] {
    const ConfigWatcher* source = current.load();
    if (source == nullptr) return;
    for (ProbeEngine* engine : engine_list) {
      engine->Post(ChangeDetector{source->config().Get()->detector});
    }
  };
  const auto watcher = ConfigWatcher::Create(
      command.config_file, clock,
      {.program = Program::kLinkprobe, .on_reload = apply, .started_with = *config});
  if (!watcher) return Fail(watcher.error());
  current.store(watcher->get());
  apply();

  // engines -> judgement of this node's NIC -> device plugin, where one listens
  const VerdictSender verdicts(
      probe.plugin_socket,
      [&](const std::vector<NicOpinion>& before) {
        const Nanoseconds host_noise = (*watcher)->config().Get()->detector.host_noise;
        return JudgeNics(states(), plan.Get()->site, host_noise, before, clock.Now());
      },
      [&] {
        const auto now = (*watcher)->config().Get();
        const auto planned = plan.Get();
        LinesOfSite lines = LinesOf(states(), planned->site, now->lines);
        AddPlannedLines(planned->lines, lines);
        return lines;
      },
      clock);

  const auto ops = OpsServer::Start(
      probe.ops_listen,
      {.healthz =
           [&] {
             std::vector<LoopTurn> loops{{"dialer", dialer.last_turn(), Seconds(60)}};
             for (const ProbeEngine* engine : engine_list) {
               loops.push_back({"engine", engine->last_turn(), Seconds(10)});
             }
             return LoopsAreTurning(loops, clock.Now());
           },
       .readyz =
           [&] {
             Health health = IsReady(*plan.Get(), reports.status(), states());
             health.reason =
                 WithPendingKeys(std::move(health.reason), (*watcher)->stats().restart_keys);
             return health;
           }});
  if (!ops) return Fail(ops.error());
  const auto metrics = std::make_shared<ProbeMetrics>(
      MetricSources{.node = identity.node,
                    .version = FAIRLEAD_VERSION,
                    .site = [&] { return plan.Get()->site; },
                    .engines = states,
                    .session_requests = [&] { return desk.counts(); },
                    .dials = [&] { return dialer.Latest(); },
                    .report = [&] { return reports.status(); },
                    .verdicts = [&] { return verdicts.status(); },
                    .config_reloads = [&] { return (*watcher)->stats(); },
                    .counters = [&] { return counters.Latest(); },
                    .leases = [&] { return leases.Latest(); }},
      clock);
  (*ops)->Add(metrics);
  LogInfo("started", {{"node", identity.node},
                      {"version", FAIRLEAD_VERSION},
                      {"sessions_port", (*server)->port()},
                      {"ops_port", (*ops)->port()}});
  int signal = 0;
  sigwait(&signals, &signal);
  LogInfo("stopping", {{"signal", signal}});
  (*ops)->Stop();
  return {};
}

}  // namespace fairlead::linkprobe
