#include "deviceplugin/cli/hca_text.h"

#include <algorithm>
#include <map>
#include <vector>

#include "common/units/human.h"
#include "deviceplugin/cli/text_table.h"
#include "deviceplugin/profile/allocated_port.h"

namespace fairlead::deviceplugin {
namespace {

std::string HealthWord(const WatchedHca& watched) {
  if (!watched.healthy) return "UNHEALTHY";
  return watched.reason.empty() || !watched.known ? "healthy" : "ailing";
}

std::string FunctionText(const Hca& hca) {
  std::string text(FunctionName(hca.function));
  switch (hca.function) {
    case PciFunction::kNone:
    case PciFunction::kPhysical:
      return "";
    case PciFunction::kVirtual:
      break;
    case PciFunction::kSubfunction:
      text += " " + std::to_string(hca.subfunction);
      break;
  }
  return text + (hca.parent ? " of " + FormatPci(*hca.parent) : "");
}

std::string Identity(const WatchedHca& watched) {
  const Hca& hca = watched.hca;
  return JoinWords(
      {"id " + watched.id, std::string(ProtocolName(hca.protocol)), hca.driver,
       hca.pci ? "PCI " + FormatPci(*hca.pci) : "", FunctionText(hca),
       hca.numa_node < 0 ? "" : "NUMA " + std::to_string(hca.numa_node), hca.bonded ? "bonded" : "",
       hca.firmware.empty() ? "" : "firmware " + hca.firmware,
       hca.uverbs.empty() ? "no uverbs node"
                          : hca.uverbs + " (ABI " + std::to_string(hca.uverbs_abi) + ")"});
}

std::string RateText(const HcaPort& port) {
  if (port.rate_bits_per_second == 0) return "";
  return HumanRate(static_cast<double>(port.rate_bits_per_second));
}

// The physical state says something of its own only where it is not what the state implies.
std::string StateText(const HcaPort& port) {
  std::string text(port.state == PortState::kNop ? "not known" : PortStateName(port.state));
  if (port.physical_state != PhysicalState::kLinkUp &&
      port.physical_state != PhysicalState::kUnknown) {
    text += " (" + std::string(PhysicalStateName(port.physical_state)) + ")";
  }
  return text;
}

// Ascending numbers as "0, 4-255".
std::string Ranges(const std::vector<std::uint32_t>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    if (!text.empty()) text += ", ";
    text += std::to_string(numbers[i]);
    if (end - i > 1) text += "-" + std::to_string(numbers[end - 1]);
    i = end;
  }
  return text;
}

std::string GidText(const HcaPort& port) {
  TextTable used;
  std::map<std::string, std::vector<std::uint32_t>> unused;  // by reason
  for (const RankedGid& ranked : port.ranked) {
    if (!ranked.usable) {
      unused[ranked.reason].push_back(ranked.index);
      continue;
    }
    const GidEntry* entry = FindGid(port.gids, ranked.index);
    if (entry == nullptr) continue;
    std::vector<std::string> row{"rank " + std::to_string(ranked.rank),
                                 "gid " + std::to_string(entry->index), HumanGid(entry->gid),
                                 std::string(GidTypeName(entry->type)), entry->netdev};
    if (ranked.warning && ranked.rank == 1) row.push_back(ranked.reason);
    used.Row(std::move(row));
  }
  std::string text = used.Text(4);
  for (auto& [reason, indices] : unused) {
    std::sort(indices.begin(), indices.end());
    text += "    not used: gid " + Ranges(indices) + ": " + reason + "\n";
  }
  return text.empty() ? "    no GIDs\n" : text;
}

std::string PortDetails(const HcaPort& port) {
  std::vector<std::string> words{StateText(port), std::string(LinkLayerName(port.link_layer)),
                                 RateText(port),
                                 port.mtu_bytes > 0 ? "MTU " + std::to_string(port.mtu_bytes) : ""};
  words.insert(words.end(), port.netdevs.begin(), port.netdevs.end());
  return "  port " + std::to_string(port.number) + ": " + JoinWords(words) + "\n" + GidText(port);
}

}  // namespace

std::string HcaDetails(const NodeListing& listing, std::size_t hca) {
  const WatchedHca& watched = listing.state.watched[hca];
  const std::string pools = JoinWords(PoolsOf(listing, hca));
  std::string text = watched.hca.name + ": " + HealthWord(watched) + ", in " +
                     (pools.empty() ? "no pool" : pools) + "\n  " + Identity(watched) + "\n";
  for (const HcaPort& port : watched.hca.ports) text += PortDetails(port);
  return text;
}

std::string HcaTable(const NodeListing& listing) {
  TextTable table;
  table.Row({"HCA", "HEALTH", "PORT", "STATE", "PROTOCOL", "RATE", "NUMA", "NETDEV", "GID",
             "ADDRESS", "POOLS"});
  for (std::size_t i = 0; i < listing.state.watched.size(); ++i) {
    const WatchedHca& watched = listing.state.watched[i];
    const Hca& hca = watched.hca;
    const std::string health = HealthWord(watched);
    const std::string protocol(ProtocolName(hca.protocol));
    const std::string numa = hca.numa_node < 0 ? "" : std::to_string(hca.numa_node);
    const std::string pools = JoinWords(PoolsOf(listing, i));
    for (const HcaPort& port : hca.ports) {
      const GidEntry* best = BestGid(port);
      table.Row({hca.name, health, std::to_string(port.number),
                 watched.present ? StateText(port) : "gone", protocol, RateText(port), numa,
                 port.netdevs.empty() ? "" : port.netdevs.front(),
                 best ? std::to_string(best->index) : "", best ? HumanGid(best->gid) : "", pools});
    }
    if (hca.ports.empty()) {
      table.Row({hca.name, health, "", watched.present ? "" : "gone", protocol, "", numa, "", "",
                 "", pools});
    }
  }
  return table.Text();
}

}  // namespace fairlead::deviceplugin
