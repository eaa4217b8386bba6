#include "deviceplugin/cli/list_node.h"

#include <optional>

#include "common/config/config_watcher.h"
#include "deviceplugin/cli/describe_node.h"
#include "deviceplugin/discovery/read_node.h"
#include "deviceplugin/kubelet/pod_resources_call.h"
#include "deviceplugin/node/judge_node.h"
#include "deviceplugin/node/node_source.h"

namespace fairlead::deviceplugin {
namespace {

constexpr Nanoseconds kPatience = Seconds(5);

}  // namespace

Result<std::string> ListNode(const ListCommand& command) {
  DevicepluginConfig config;
  if (!command.config_file.empty()) {
    auto read = ReadConfigFile(command.config_file);
    if (!read) return Fail(read.error());
    config = std::move(read->deviceplugin);
  }
  const SystemClock clock;
  HealthBook book{HealthSettings{}};
  const RootedFiles files(command.root);
  NodeInventory inventory =
      ReadNode(files, {.netdevs = {}, .allow = config.gid_allow, .deny = config.gid_deny});
  if (files.starved() > 0) {
    return Fail(ErrorCode::kUnavailable,
                "too many files are open to read this node whole; raise the limit (ulimit -n)");
  }
  if (WantsGpus(config.gpus)) AddGpus(ReadGpusOnce(config.gpus.nvml_library, files), inventory);
  const MonotonicTime now = clock.Now();
  const auto [state, offer] = JudgeNode(std::move(inventory), book, {}, config, {now, now});
  std::optional<PodHoldings> holdings;
  if (command.pods) {
    auto held = AskWhoHolds(PodResourcesSocket(config.kubelet_directory), offer, kPatience, {});
    if (!held) return Fail(held.error().Within("list --pods"));
    holdings = {.holdings = *std::move(held), .read_at = clock.Now()};
  }
  const NodeListing listing{.state = state,
                            .offer = offer,
                            .pools = config.pools,
                            .holdings = holdings ? &*holdings : nullptr};
  return command.json ? NodeAsJson(listing) : NodeAsText(listing);
}

}  // namespace fairlead::deviceplugin
