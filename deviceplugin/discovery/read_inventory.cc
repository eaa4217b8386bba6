#include "deviceplugin/discovery/read_inventory.h"

#include <algorithm>
#include <cerrno>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "common/base/quote.h"
#include "deviceplugin/discovery/attribute_reader.h"
#include "deviceplugin/discovery/attribute_text.h"
#include "deviceplugin/discovery/device_nodes.h"
#include "deviceplugin/discovery/hca_identity.h"
#include "deviceplugin/discovery/hca_port.h"
#include "deviceplugin/discovery/link_aggregation.h"
#include "deviceplugin/discovery/netdev_table.h"
#include "deviceplugin/inventory/gid_verdicts.h"

namespace fairlead::deviceplugin {
namespace {

constexpr const char* kClass = "/sys/class/infiniband";
constexpr std::uint32_t kMostPorts = 255;  // a byte in verbs
constexpr int kTries = 2;

// A name goes into lists like "mlx5_0:1,mlx5_1:1", into labels and logs. The kernel lets an
// administrator choose any bytes.
bool CanBeNamed(std::string_view name) {
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '-' || c == '.';
  });
}

void ReadPorts(Hca& hca, const std::string& node_type, AttributeReader& reader,
               NetdevTable& netdevs) {
  const auto names = reader.files().List(std::string(kClass) + "/" + hca.name + "/ports");
  if (!names) {
    reader.Report(Describe(names.error()));
    return;
  }
  std::vector<std::uint32_t> numbers;
  for (const std::string& name : *names) {
    const auto number = ParseEntryNumber(name);
    if (number && *number >= 1 && *number <= kMostPorts) {
      numbers.push_back(*number);
    } else {
      reader.Report("Port " + Quoted(name) + " of " + hca.name + " is none; ports are 1 to 255.");
    }
  }
  std::sort(numbers.begin(), numbers.end());
  for (const std::uint32_t number : numbers) {
    hca.ports.push_back(ReadPort(hca, node_type, number, reader, netdevs));
  }
}

Hca ReadHca(const HostFiles& files, const std::string& name, const NodeTable& nodes,
            NetdevTable& netdevs) {
  Hca hca;
  hca.name = name;
  std::vector<std::string> problems;
  AttributeReader reader(files, problems);
  const std::string node_type = ReadIdentity(hca, reader);
  ReadPorts(hca, node_type, reader, netdevs);
  hca.protocol = ClassifyProtocol(
      hca.driver, node_type, hca.ports.empty() ? LinkLayer::kUnspecified : hca.ports[0].link_layer);
  const auto found = nodes.by_hca.find(name);
  if (found == nodes.by_hca.end()) {
    problems.push_back("No uverbs device belongs to " + name + "; load the module ib_uverbs.");
  } else {
    const DeviceNodes& own = found->second;
    hca.uverbs = own.uverbs;
    hca.uverbs_abi = own.uverbs_abi;
    hca.umad = own.umad;
    hca.issm = own.issm;
    problems.insert(problems.end(), own.problems.begin(), own.problems.end());
  }
  hca.problems = std::move(problems);
  return hca;
}

// Half of a device that comes or goes would be another device, with an id of its own.
std::optional<Hca> ReadWholeHca(const HostFiles& files, const std::string& name,
                                const NodeTable& nodes, NetdevTable& netdevs) {
  const std::string entry = std::string(kClass) + "/" + name;
  for (int i = 0; i < kTries; ++i) {
    const auto before = files.Resolve(entry);
    if (!before && before.error().error_number == ENOENT) break;
    Hca hca = ReadHca(files, name, nodes, netdevs);
    const auto after = files.Resolve(entry);
    if (before == after) return hca;
  }
  return std::nullopt;
}

}  // namespace

NodeInventory ReadInventory(const HostFiles& files, const GidPolicy& policy) {
  NodeInventory inventory;
  const auto names = files.List(kClass);
  // Without an RDMA driver there is no such class, which is a node without HCAs and no fault.
  if (!names && names.error().error_number != ENOENT) {
    inventory.problems.push_back(Describe(names.error()));
  }
  NodeTable nodes = ReadDeviceNodes(files);
  NetdevTable netdevs(files);
  for (const std::string& name : names.value_or(std::vector<std::string>())) {
    if (!CanBeNamed(name)) {
      nodes.by_hca.erase(name);
      inventory.problems.push_back("The device " + Quoted(name) +
                                   " is left out, since lists like NCCL_IB_HCA cannot hold its "
                                   "name; rename it with rdma dev set.");
    } else if (auto hca = ReadWholeHca(files, name, nodes, netdevs)) {
      inventory.hcas.push_back(*std::move(hca));
    }
  }
  for (const auto& [owner, own] : nodes.by_hca) {
    if (std::any_of(inventory.hcas.begin(), inventory.hcas.end(),
                    [&](const Hca& hca) { return hca.name == owner; })) {
      continue;
    }
    inventory.problems.push_back("The device nodes of " + Quoted(owner) +
                                 " are here but the device is not: it is in another network "
                                 "namespace, or has just gone.");
  }
  MarkAggregated(inventory.hcas, netdevs);
  for (Hca& hca : inventory.hcas) {
    for (HcaPort& port : hca.ports) port.ranked = JudgeGids(port, hca.protocol, policy);
  }
  inventory.rdma_cm = nodes.rdma_cm;
  inventory.problems.insert(inventory.problems.end(), nodes.problems.begin(), nodes.problems.end());
  if (!inventory.hcas.empty() && !nodes.rdma_cm) {
    inventory.problems.push_back(
        "/dev/infiniband/rdma_cm is missing, so nothing can connect through rdma_cm; load the "
        "module rdma_ucm.");
  }
  return inventory;
}

}  // namespace fairlead::deviceplugin
