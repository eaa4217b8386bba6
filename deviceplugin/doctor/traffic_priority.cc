#include "deviceplugin/doctor/traffic_priority.h"

#include <array>
#include <map>

namespace fairlead::deviceplugin {
namespace {

bool IsMlx5(const PortView& view) { return view.hca->driver == "mlx5_core"; }

}  // namespace

Known<std::string> TrustOf(const PortView& view) {
  if (view.facts->trust) return *view.facts->trust;
  const auto& dcb = view.facts->dcb;
  if (!dcb) return Known<std::string>::Not("DCB: " + dcb.why_not());
  if (!dcb->priority_of_dscp.empty()) return std::string("dscp");
  if (IsMlx5(view)) return std::string("pcp");
  return Known<std::string>::Not("the driver " + view.hca->driver +
                                 " does not tell what it trusts");
}

Known<std::uint8_t> PriorityFor(const PortView& view, std::uint32_t traffic_class) {
  const auto trust = TrustOf(view);
  if (!trust) return Known<std::uint8_t>::Not(trust.why_not());
  if (*trust == "pcp") return std::uint8_t{0};
  const auto dscp = static_cast<std::uint8_t>(traffic_class >> 2);
  const auto& dcb = view.facts->dcb;
  if (dcb) {
    const auto entry = dcb->priority_of_dscp.find(dscp);
    if (entry != dcb->priority_of_dscp.end()) return entry->second;
  }
  if (IsMlx5(view)) return static_cast<std::uint8_t>(dscp >> 3);
  return Known<std::uint8_t>::Not("no entry for DSCP " + std::to_string(dscp));
}

std::vector<ClassUse> TrafficClasses(const NodeFacts& facts) {
  std::map<std::uint32_t, std::vector<std::string>> by_class;
  for (const PoolConfig& pool : facts.pools) {
    if (pool.priority.traffic_class) {
      by_class[*pool.priority.traffic_class].push_back(pool.resource);
    }
  }
  std::vector<ClassUse> uses;
  for (auto& [traffic_class, resources] : by_class) {
    uses.push_back({.traffic_class = traffic_class, .resources = std::move(resources)});
  }
  return uses;
}

std::string ClassParts(std::uint32_t traffic_class) {
  constexpr std::array<const char*, 4> kEcn{"not ECN capable", "ECN capable", "ECN capable",
                                            "marked as congested"};
  return "DSCP " + std::to_string(traffic_class >> 2) + ", " + kEcn[traffic_class & 3];
}

std::string ClassText(const ClassUse& use) {
  std::string text = "traffic class " + std::to_string(use.traffic_class) + " (" +
                     ClassParts(use.traffic_class) + ") of ";
  for (std::size_t i = 0; i < use.resources.size(); ++i) {
    text += (i == 0 ? "" : ", ") + use.resources[i];
  }
  return text;
}

}  // namespace fairlead::deviceplugin
