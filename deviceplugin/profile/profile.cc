#include "deviceplugin/profile/profile.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "common/config/resource_name.h"
#include "deviceplugin/profile/ack_timeout.h"
#include "deviceplugin/profile/allocated_port.h"
#include "deviceplugin/profile/gid_setting.h"
#include "deviceplugin/profile/inventory_text.h"

namespace fairlead::deviceplugin {
namespace {

constexpr std::uint32_t kMappedBits = 96;

using Env = std::map<std::string, std::string>;

// As NCCL reads it, with a length: "10.0.0.0/8".
std::string RangeText(const GidPrefix& range) {
  const bool ipv4 = FamilyOf(range) == AddressFamily::kIpv4;
  return HumanGid(range.gid) + "/" + std::to_string(range.length - (ipv4 ? kMappedBits : 0));
}

void SetDevices(const std::vector<AllocatedPort>& ports, Env& env) {
  std::string list;
  for (const AllocatedPort& port : ports) list += (list.empty() ? "" : ",") + port.Name();
  env["NCCL_IB_HCA"] = "=" + list;  // without '=' mlx5_1 is mlx5_10 as well
  env["UCX_NET_DEVICES"] = list;
}

void SetGid(const GidSetting& setting, bool only_roce, Env& env) {
  if (setting.index) {
    env["NCCL_IB_GID_INDEX"] = std::to_string(*setting.index);
    if (only_roce) env["UCX_IB_GID_INDEX"] = std::to_string(*setting.index);
  }
  if (setting.family) {
    env["NCCL_IB_ADDR_FAMILY"] = *setting.family == AddressFamily::kIpv4 ? "AF_INET" : "AF_INET6";
  }
  if (setting.range) env["NCCL_IB_ADDR_RANGE"] = RangeText(*setting.range);
  if (setting.version) {
    env["NCCL_IB_ROCE_VERSION_NUM"] = *setting.version == GidType::kRoceV2 ? "2" : "1";
  }
}

void SetPriority(const PriorityConfig& priority, bool any_roce, Env& env) {
  if (priority.traffic_class && any_roce) {
    const std::string value = std::to_string(*priority.traffic_class);
    env["NCCL_IB_TC"] = env["UCX_IB_TRAFFIC_CLASS"] = value;
  }
  if (priority.control_traffic_class && any_roce) {
    env["NCCL_IB_FIFO_TC"] = std::to_string(*priority.control_traffic_class);
  }
  if (priority.service_level) {
    env["NCCL_IB_SL"] = env["UCX_IB_SL"] = std::to_string(*priority.service_level);
  }
}

void SetTimeout(Nanoseconds outage, Env& env) {
  const std::uint32_t exponent = AckTimeoutExponent(outage);
  env["NCCL_IB_TIMEOUT"] = std::to_string(exponent);
  env["NCCL_IB_RETRY_CNT"] = env["UCX_RC_RETRY_COUNT"] = std::to_string(kRetries);
  // UCX rounds to the nearest power of two by itself.
  const auto rounded = std::chrono::round<Milliseconds>(AckTimeout(exponent));
  env["UCX_RC_TIMEOUT"] = std::to_string(rounded.count()) + "ms";
}

void WarnOfProtocols(const std::vector<AllocatedPort>& all, const std::vector<AllocatedPort>& verbs,
                     std::vector<std::string>& warnings) {
  for (const AllocatedPort& port : all) {
    if (port.SpeaksVerbs()) continue;
    warnings.push_back(port.Name() + " is " + std::string(ProtocolName(port.hca->protocol)) +
                       ", which NCCL's and UCX's verbs transports do not speak.");
  }
  const auto roce = [](const AllocatedPort& port) { return port.IsRoce(); };
  if (std::any_of(verbs.begin(), verbs.end(), roce) &&
      !std::all_of(verbs.begin(), verbs.end(), roce)) {
    warnings.push_back(
        "The HCAs are RoCE and InfiniBand, and NCCL uses one of the two only; set linkTypes in the "
        "pool.");
  }
}

}  // namespace

Profile MakeProfile(std::span<const Hca* const> hcas, const ProfileSettings& settings) {
  Profile profile;
  Env& env = profile.env;
  const std::vector<AllocatedPort> all = PortsOf(hcas, settings.select);
  env["FAIRLEAD_HCAS_" + VariableWord(settings.resource)] = InventoryText(all, settings.network);
  if (!settings.variables) return profile;
  std::vector<AllocatedPort> verbs;
  std::copy_if(all.begin(), all.end(), std::back_inserter(verbs),
               [](const AllocatedPort& port) { return port.SpeaksVerbs(); });
  WarnOfProtocols(all, verbs, profile.warnings);
  if (verbs.empty()) return profile;
  const auto roces = std::count_if(verbs.begin(), verbs.end(),
                                   [](const AllocatedPort& port) { return port.IsRoce(); });
  SetDevices(verbs, env);
  GidSetting gid = settings.network == PodNetwork::kHost
                       ? HostGidSetting(verbs, settings.gid_allow)
                       : PodGidSetting(verbs, settings.gid_allow, settings.gid_deny);
  SetGid(gid, roces == std::ssize(verbs), env);
  std::move(gid.warnings.begin(), gid.warnings.end(), std::back_inserter(profile.warnings));
  SetPriority(settings.priority, roces > 0, env);
  SetTimeout(settings.outage, env);
  const bool bonded = std::any_of(verbs.begin(), verbs.end(),
                                  [](const AllocatedPort& port) { return port.hca->bonded; });
  if (bonded) env["NCCL_IB_QPS_PER_CONNECTION"] = "2";
  return profile;
}

}  // namespace fairlead::deviceplugin
