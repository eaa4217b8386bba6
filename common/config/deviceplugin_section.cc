// `deviceplugin`: which HCAs and GPUs a node hands out, and with which settings.
#include <algorithm>
#include <string>
#include <string_view>

#include "common/base/quote.h"
#include "common/config/choice.h"
#include "common/config/deviceplugin_pools.h"
#include "common/config/names.h"
#include "common/config/resource_name.h"
#include "common/config/scalar_list.h"
#include "common/config/section_reader.h"
#include "common/config/sections.h"
#include "common/units/duration.h"

namespace fairlead {
namespace {

constexpr Nanoseconds kNone = Nanoseconds(0);
constexpr Nanoseconds kHour = Seconds(3600);

Result<std::string> ParseAbsolutePath(std::string_view text) {
  if (text.starts_with('/') && text.find('\n') == std::string_view::npos) return std::string(text);
  return Fail(ErrorCode::kInvalidArgument,
              Quoted(text) + " is not an absolute path; begin it with /");
}

void ReadHealth(const DocumentNode& node, HcaHealthConfig& health, Problems& problems) {
  SectionReader reader(node, "deviceplugin.health", problems);
  reader.Duration("downAfter", health.down_after, kNone, kHour);
  reader.Duration("upAfter", health.up_after, kNone, kHour);
  reader.Finish();
}

const PoolConfig* FindPool(const std::vector<PoolConfig>& pools, std::string_view resource) {
  const auto found = std::find_if(pools.begin(), pools.end(), [&](const PoolConfig& pool) {
    return pool.resource == resource;
  });
  return found == pools.end() ? nullptr : &*found;
}

// A GPU or an HCA that two resources hand out would be in two containers at once.
void CheckGpus(SectionReader& reader, const DevicepluginConfig& plugin) {
  const GpuConfig& gpus = plugin.gpus;
  if (gpus.advertise && FindPool(plugin.pools, gpus.resource) != nullptr) {
    reader.Complain("resource", Quoted(gpus.resource) + " is the name of a pool; choose another");
  }
  if (gpus.resource == kProbeResource) {
    reader.Complain("resource", Quoted(gpus.resource) +
                                    " is the plugin's own for linkprobe; choose another name");
  }
  if (gpus.pair_resource.empty()) return;
  if (gpus.advertise) {
    reader.Complain("pairResource",
                    "stands beside advertise: true; a GPU goes out alone or in a pair, choose one");
  }
  const PoolConfig* pool = FindPool(plugin.pools, gpus.pair_resource);
  if (pool == nullptr) {
    return reader.Complain("pairResource", "pool " + Quoted(gpus.pair_resource) +
                                               " is unknown; list a pool of this name, whose HCAs "
                                               "go out with their GPU");
  }
  const bool shared =
      std::any_of(plugin.pools.begin(), plugin.pools.end(),
                  [&](const PoolConfig& p) { return p.priority_of == pool->resource; });
  if (!pool->priority_of.empty() || shared) {
    reader.Complain("pairResource", "pool " + Quoted(pool->resource) +
                                        " shares its HCAs with a priority; pairs need HCAs of "
                                        "their own");
  }
}

void ReadGpus(const DocumentNode& node, DevicepluginConfig& plugin, Problems& problems) {
  SectionReader reader(node, "deviceplugin.gpus", problems);
  reader.Flag("advertise", plugin.gpus.advertise);
  reader.Value("resource", plugin.gpus.resource, ParseResourceName);
  reader.Value("pairResource", plugin.gpus.pair_resource, ParseResourceName);
  reader.Text("nvmlLibrary", plugin.gpus.nvml_library);
  reader.Finish();
  CheckGpus(reader, plugin);
}

}  // namespace

void ReadDeviceplugin(const DocumentNode& node, Config& config, Problems& problems) {
  SectionReader reader(node, "deviceplugin", problems);
  DevicepluginConfig& plugin = config.deviceplugin;
  reader.Value("opsListen", plugin.ops_listen, ParseListenAddress);
  reader.Value("kubeletDirectory", plugin.kubelet_directory, ParseAbsolutePath);
  reader.Value(
      "registration", plugin.registration,
      OneOf<RegistrationChoice>("registration", {{"legacy", RegistrationChoice::kLegacy},
                                                 {"registry", RegistrationChoice::kRegistry}}));
  ReadPools(reader, plugin.pools, problems);
  ReadScalars(reader, "gidAllow", plugin.gid_allow, ParseGidPrefix);
  ReadScalars(reader, "gidDeny", plugin.gid_deny, ParseGidPrefix);
  reader.Duration("outage", plugin.outage, Seconds(1), kHour);
  if (const DocumentNode* health = reader.Child("health")) {
    ReadHealth(*health, plugin.health, problems);
  }
  reader.Duration("removeAfter", plugin.remove_after, kNone, 24 * kHour);
  reader.Flag("cdi", plugin.cdi);
  reader.Value("cdiDirectory", plugin.cdi_directory, ParseAbsolutePath);
  // After the pools, which a pair refers to.
  if (const DocumentNode* gpus = reader.Child("gpus")) ReadGpus(*gpus, plugin, problems);
  reader.Value("nfdFeatureFile", plugin.nfd_feature_file, ParseAbsolutePath);
  reader.Value("probeSocket", plugin.probe_socket, ParseSocketPath);
  reader.Value("ncclConfDirectory", plugin.nccl_conf_directory, ParseAbsolutePath);
  reader.Finish();
}

}  // namespace fairlead
