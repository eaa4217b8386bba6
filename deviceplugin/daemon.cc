#include "deviceplugin/daemon.h"

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "common/base/log.h"
#include "common/base/snapshot.h"
#include "common/config/config_watcher.h"
#include "common/ops/loop_turns.h"
#include "common/ops/ops_server.h"
#include "common/ops/orderly_end.h"
#include "deviceplugin/discovery/change_watch.h"
#include "deviceplugin/doctor_facts/firmware_tools.h"
#include "deviceplugin/doctor_facts/holders.h"
#include "deviceplugin/doctor_facts/host_reader.h"
#include "deviceplugin/doctor_facts/node_checks.h"
#include "deviceplugin/doctor_facts/whereabouts.h"
#include "deviceplugin/kubelet/kubelet_link.h"
#include "deviceplugin/kubelet/pod_resources.h"
#include "deviceplugin/metrics/check_metrics.h"
#include "deviceplugin/metrics/node_metrics.h"
#include "deviceplugin/nccl_conf/late_nccl.h"
#include "deviceplugin/node/descriptor_limit.h"
#include "deviceplugin/node/node_loop.h"
#include "deviceplugin/node/node_source.h"
#include "deviceplugin/node/readiness.h"
#include "deviceplugin/publish/node_files.h"
#include "deviceplugin/verdicts/verdict_listener.h"

namespace fairlead::deviceplugin {
namespace {

// How often port states are compared with those of the last reading.
constexpr Nanoseconds kQuickLook = Milliseconds(500);
// Who holds what can wait until kubelet has the lists.
constexpr Nanoseconds kFirstPods = Seconds(3);
// A loop that has not come round for so long has stopped; the slowest reads once a minute.
constexpr Nanoseconds kLoopLimit = Seconds(150);

RegistrationMode ModeOf(RegistrationChoice choice) {
  switch (choice) {
    case RegistrationChoice::kLegacy:
      return RegistrationMode::kLegacy;
    case RegistrationChoice::kRegistry:
      return RegistrationMode::kPluginsRegistry;
  }
  return RegistrationMode::kLegacy;
}

// The checks of the node come round every five minutes.
constexpr Nanoseconds kChecksLimit = Seconds(900);

// What the checks look at: the devices that are there now. No program is started for them.
NodeFacts FactsNow(const HostFiles& files, const NodeState& state, const PodHoldings& holdings,
                   const Config& config, const std::string& node_name, const HeardLines& heard,
                   MonotonicTime now) {
  NodeInventory inventory = state.inventory;
  inventory.hcas.clear();
  for (const WatchedHca& watched : state.watched) {
    if (watched.present) inventory.hcas.push_back(watched.hca);
  }
  Whereabouts whereabouts =
      FindWhereabouts(config, {.site = "", .node_name = node_name, .rtts = {}});
  AddHeard(heard, now, whereabouts);
  NodeFacts facts =
      ReadFacts(files, std::move(inventory), config, whereabouts, LiveSourcesHere(false));
  AddHolders(holdings, state, facts);
  return facts;
}

// The lines as far as anybody has told of them; asks nobody.
Known<SiteLines> KnownLines(const Config& config, const std::string& node_name,
                            const HeardLines& heard, MonotonicTime now) {
  const Whereabouts whereabouts = HeardWhereabouts(config, node_name, heard, now);
  if (whereabouts.site.empty()) {
    return Known<SiteLines>::Not(
        "neither linkprobe nor `nodes` of the configuration tells this node's site");
  }
  return LinesFrom(config, whereabouts);
}

// How often files of NCCL settings that nothing uses any more are looked for.
constexpr Nanoseconds kTidyEvery = Seconds(60);

// For everything to end: reading what hangs in the kernel or in NVML cannot be called off.
constexpr Nanoseconds kEndPatience = Milliseconds(1500);

}  // namespace

// sysfs, NVML, linkprobe -> NodeLoop -> Offer -> KubeletLink -> kubelet
Status RunDaemon(const DaemonCommand& command, const sigset_t& signals) {
  SetLogLevel(command.log_level);
  OrderlyEnd end(signals, kEndPatience);
  const SystemClock clock;
  const auto config = ReadConfigFile(command.config_file);
  if (!config) return Fail(config.error());
  const DevicepluginConfig& own = config->deviceplugin;
  // Those of the pools, for linkprobe and for GPUs.
  if (auto enough = SecureDescriptors(DescriptorsNeeded(own.pools.size() + 2)); !enough) {
    return enough;
  }

  // What is published, by whom: the watcher, the watcher, the listener, the loop, the loop.
  Snapshot<Config> newest(*config);
  Snapshot<DevicepluginConfig> pools(own);
  Snapshot<HeardLines> lines;
  Snapshot<NodeState> state;
  Snapshot<Offer> offer;
  const RootedFiles files_to_read(command.root);

  ConfFiles conf_files(own.nccl_conf_directory);
  KubeletLinkOptions options;
  options.late_settings = LateNccl(
      conf_files,
      {.lines =
           [&] { return KnownLines(*newest.Get(), command.node_name, *lines.Get(), clock.Now()); },
       .default_route = [&] { return ReadDefaultRoute(files_to_read); }});
  options.kubelet_directory = own.kubelet_directory;
  options.mode = ModeOf(own.registration);
  options.seed = static_cast<std::uint64_t>(clock.WallNow().time_since_epoch().count());
  const auto link = KubeletLink::Start(std::move(options), offer, clock);
  if (!link) return Fail(link.error().Within("deviceplugin.kubeletDirectory"));
  // Before the first reading, so that nothing happens between it and them.
  ChangeSources sources = OpenChangeSources(command.root + "/dev/infiniband");
  for (const std::string& problem : sources.problems) {
    LogInfo("a source of events is missing; the slow poll stands in", {{"reason", problem}});
  }
  NodeSource source(command.root, own.gpus, clock);
  NodeFiles files(own);
  NodeLoop loop([&](const GidPolicy& policy) { return source.Read(policy); }, pools, clock,
                {.state = state, .offer = offer, .published = [&](const NodeState& now) {
                   files.Publish(now, *pools.Get());
                   (*link)->OfferChanged();
                 }});
  const VerdictListener verdicts(
      {.socket = own.probe_socket},
      [&](const ProbeWord& heard, bool changed) {
        lines.Publish(heard.lines);
        loop.Hear(heard.verdicts);
        if (changed) loop.Poke();
      },
      clock);
  const PodResourcesLister pods(
      {.kubelet_directory = own.kubelet_directory, .first_after = kFirstPods}, offer, clock);
  MonotonicTime tidied{};
  const auto changes =
      ChangeWatch::Start(std::move(sources), [&](bool changed) -> std::optional<Nanoseconds> {
        if (clock.Now() - tidied > kTidyEvery) {
          tidied = clock.Now();
          conf_files.Tidy(*pods.holdings().Get(), tidied, clock.WallNow());
        }
        if (changed || !files.Intact() || source.LooksDifferent(*state.Get())) loop.Poke();
        return kQuickLook;
      });
  if (!changes) return Fail(changes.error());

  std::atomic<const ConfigWatcher*> watching = nullptr;
  const auto take_over = [&] {
    const ConfigWatcher* const from = watching;
    if (from == nullptr) return;
    const auto config_now = from->config().Get();
    newest.Publish(*config_now);
    if (config_now->deviceplugin == *pools.Get()) return;
    pools.Publish(config_now->deviceplugin);
    loop.Poke();
  };
  const auto watcher = ConfigWatcher::Create(
      command.config_file, clock,
      {.program = Program::kDeviceplugin, .on_reload = take_over, .started_with = *config});
  if (!watcher) return Fail(watcher.error());
  watching = watcher->get();
  take_over();

  const NodeChecks checks(
      [&] {
        return FactsNow(files_to_read, *state.Get(), *pods.holdings().Get(), *newest.Get(),
                        command.node_name, *lines.Get(), clock.Now());
      },
      clock, {});

  const auto ops = OpsServer::Start(
      own.ops_listen, {.healthz =
                           [&] {
                             return LoopsAreTurning(
                                 {{"the reading of the node", loop.last_turn(), kLoopLimit},
                                  {"NVML", source.last_gpu_turn(), kLoopLimit},
                                  {"the link to kubelet", (*link)->Status().last_turn, kLoopLimit},
                                  {"the checks of the node", checks.last_turn(), kChecksLimit},
                                  {"the listing of pods", pods.Status().last_turn, kLoopLimit}},
                                 clock.Now());
                           },
                       .readyz =
                           [&] {
                             Health health = IsReady((*link)->Status(), files.Trouble());
                             health.reason = WithPendingKeys(std::move(health.reason),
                                                             (*watcher)->stats().restart_keys);
                             return health;
                           }});
  if (!ops) return Fail(ops.error().Within("deviceplugin.opsListen"));
  const auto metrics = std::make_shared<NodeMetrics>(
      MetricSources{.node = command.node_name,
                    .version = FAIRLEAD_VERSION,
                    .state = [&] { return state.Get(); },
                    .offer = [&] { return offer.Get(); },
                    .kubelet = [&] { return (*link)->Status(); },
                    .holdings = [&] { return pods.holdings().Get(); },
                    .pod_resources = [&] { return pods.Status(); },
                    .verdicts = [&] { return verdicts.counts(); },
                    .files = [&] { return files.failures(); },
                    .nccl_confs = [&] { return conf_files.counts(); },
                    .config_reloads = [&] { return (*watcher)->stats(); }});
  (*ops)->Add(metrics);
  const auto check_metrics =
      std::make_shared<NodeCheckMetrics>([&] { return checks.reports().Get(); });
  (*ops)->Add(check_metrics);
  LogInfo("started", {{"node", command.node_name},
                      {"version", FAIRLEAD_VERSION},
                      {"hcas", state.Get()->watched.size()},
                      {"ops_port", (*ops)->port()}});
  LogInfo("stopping", {{"signal", end.WaitForSignal()}});
  // First, so that no socket stays behind where a driver or NVML hangs.
  (*link)->Stop();
  (*ops)->Stop();
  return {};
}

}  // namespace fairlead::deviceplugin
