#include "deviceplugin/doctor_facts/read_facts.h"

#include <algorithm>
#include <utility>

#include "deviceplugin/doctor_facts/fact_text.h"
#include "deviceplugin/doctor_facts/host_reader.h"
#include "deviceplugin/doctor_facts/pci_reader.h"
#include "deviceplugin/doctor_facts/port_reader.h"

namespace fairlead::deviceplugin {
namespace {

Known<std::map<std::string, std::string>> ReadCongestion(const HostFiles& files, const Hca& hca) {
  using Parameters = std::map<std::string, std::string>;
  if (!hca.pci) return Parameters();
  const std::string directory = "/sys/kernel/debug/mlx5/" + FormatPci(*hca.pci) + "/cc_params";
  const auto names = files.List(directory);
  if (!names) return Known<Parameters>::Not(WhyNot(names.error()));
  Parameters parameters;
  for (const std::string& name : *names) {
    if (const auto line = ReadLine(files, directory + "/" + name)) parameters[name] = *line;
  }
  return parameters;
}

PortFacts AskedPort(const HostFiles& files, const Hca& hca, const HcaPort& port,
                    const LiveSources& live) {
  PortFacts facts = ReadPort(files, hca, port);
  if (facts.netdev.empty()) return facts;
  if (live.dcb) facts.dcb = live.dcb(facts.netdev);
  if (live.pause) facts.pause = live.pause(facts.netdev);
  return facts;
}

// Only ConnectX has such tools, and a virtual function must not use them.
void AskFirmware(const LiveSources& live, NodeFacts& facts) {
  std::vector<std::size_t> asked;
  std::vector<std::string> functions;
  for (std::size_t i = 0; i < facts.hcas.size(); ++i) {
    const Hca& hca = facts.inventory.hcas[i];
    if (hca.driver != "mlx5_core" || !hca.pci || hca.function != PciFunction::kPhysical) continue;
    asked.push_back(i);
    functions.push_back(FormatPci(*hca.pci));
  }
  if (!live.firmware || functions.empty()) return;
  auto answers = live.firmware(functions);
  for (std::size_t i = 0; i < std::min(asked.size(), answers.size()); ++i) {
    facts.hcas[asked[i]].firmware = std::move(answers[i].settings);
    facts.hcas[asked[i]].acceleration = std::move(answers[i].acceleration);
  }
}

// A probe's queue pairs are there whatever the HCA is used for. One whose owner is not seen counts:
// an HCA must not be called idle for that.
void CountQueuePairs(const HostFiles& files, const LiveSources& live, NodeFacts& facts) {
  if (!live.queue_pairs || facts.inventory.hcas.empty()) return;
  const auto owners = live.queue_pairs();
  for (std::size_t i = 0; i < facts.hcas.size(); ++i) {
    if (!owners) {
      facts.hcas[i].queue_pairs = Known<std::uint64_t>::Not(owners.why_not());
      continue;
    }
    std::uint64_t count = 0;
    const auto own = owners->find(facts.inventory.hcas[i].name);
    for (const std::uint32_t process :
         own == owners->end() ? std::vector<std::uint32_t>() : own->second) {
      const auto name = ReadLine(files, "/proc/" + std::to_string(process) + "/comm");
      if (!name || !name->starts_with("fairlead-linkpr")) ++count;
    }
    facts.hcas[i].queue_pairs = count;
  }
}

void TakeResending(const std::vector<ResendingPort>& resending, NodeFacts& facts) {
  for (std::size_t i = 0; i < facts.hcas.size(); ++i) {
    const Hca& hca = facts.inventory.hcas[i];
    for (std::size_t p = 0; p < facts.hcas[i].ports.size(); ++p) {
      for (const ResendingPort& seen : resending) {
        if (seen.device != hca.name || seen.port != hca.ports[p].number) continue;
        facts.hcas[i].ports[p].resending = seen.cause;
      }
    }
  }
}

}  // namespace

NodeFacts ReadFacts(const HostFiles& files, NodeInventory inventory, const Config& config,
                    const Whereabouts& whereabouts, const LiveSources& live) {
  NodeFacts facts;
  for (const Hca& hca : inventory.hcas) {
    HcaFacts own;
    own.pci = ReadPci(files, hca);
    own.congestion = ReadCongestion(files, hca);
    for (const HcaPort& port : hca.ports) own.ports.push_back(AskedPort(files, hca, port, live));
    facts.hcas.push_back(std::move(own));
  }
  facts.host = ReadHost(files);
  facts.lines = LinesFrom(config, whereabouts);
  facts.peer_differences = whereabouts.differences;
  facts.pools = config.deviceplugin.pools;
  facts.outage = config.deviceplugin.outage;
  facts.inventory = std::move(inventory);
  TakeResending(whereabouts.resending, facts);
  AskFirmware(live, facts);
  CountQueuePairs(files, live, facts);
  return facts;
}

}  // namespace fairlead::deviceplugin
