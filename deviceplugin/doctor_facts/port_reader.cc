#include "deviceplugin/doctor_facts/port_reader.h"

#include <cerrno>
#include <string>

#include "common/base/quote.h"
#include "deviceplugin/doctor_facts/fact_text.h"

namespace fairlead::deviceplugin {
namespace {

Known<CmaFacts> ReadCma(const HostFiles& files, const Hca& hca, const HcaPort& port) {
  const std::string configfs = "/sys/kernel/config";
  const std::string device = configfs + "/rdma_cm/" + hca.name;
  const std::string directory = device + "/ports/" + std::to_string(port.number);
  const auto there = files.Kind(device);
  if (!there) {
    if (there.error().error_number != ENOENT) {
      return Known<CmaFacts>::Not(WhyNot(there.error()));
    }
    const auto mounted = files.List(configfs);
    if (!mounted || mounted->empty()) {
      return Known<CmaFacts>::Not(configfs + " is not mounted here");
    }
    return CmaFacts{.kernel_default = true};
  }
  const auto mode = ReadLine(files, directory + "/default_roce_mode");
  const auto tos = ReadCount(files, directory + "/default_roce_tos");
  if (!mode) return Known<CmaFacts>::Not(mode.why_not());
  if (!tos) return Known<CmaFacts>::Not(tos.why_not());
  if (*mode != "RoCE v2" && *mode != "IB/RoCE v1") {
    return Known<CmaFacts>::Not(directory + "/default_roce_mode says " + Quoted(*mode, 40));
  }
  return CmaFacts{.roce_v2 = *mode == "RoCE v2", .tos = static_cast<std::uint32_t>(*tos)};
}

Known<std::string> ReadTrust(const HostFiles& files, const std::string& netdev) {
  const auto trust = ReadLine(files, "/sys/class/net/" + netdev + "/qos/trust");
  if (!trust) return trust;
  // "pcp" or "dscp"; some versions list both with the one in force in brackets.
  if (*trust == "dscp" || trust->find("[dscp]") != std::string::npos) return std::string("dscp");
  if (*trust == "pcp" || trust->find("[pcp]") != std::string::npos) return std::string("pcp");
  return Known<std::string>::Not("qos/trust of " + netdev + " says " + Quoted(*trust, 40));
}

Known<EcnFacts> ReadEcn(const HostFiles& files, const std::string& netdev) {
  EcnFacts facts;
  const std::string base = "/sys/class/net/" + netdev + "/ecn/";
  for (std::size_t i = 0; i < kPriorities; ++i) {
    const std::string priority = std::to_string(i);
    const auto notification = ReadCount(files, base + "roce_np/enable/" + priority);
    if (!notification) return Known<EcnFacts>::Not(notification.why_not());
    const auto reaction = ReadCount(files, base + "roce_rp/enable/" + priority);
    if (!reaction) return Known<EcnFacts>::Not(reaction.why_not());
    facts.notification[i] = *notification != 0;
    facts.reaction[i] = *reaction != 0;
  }
  return facts;
}

// "Global tclass=106" or "106"; an empty file where none is forced.
Known<std::uint32_t> ReadForcedClass(const HostFiles& files, const Hca& hca, const HcaPort& port) {
  const auto line = ReadLine(files, "/sys/class/infiniband/" + hca.name + "/tc/" +
                                        std::to_string(port.number) + "/traffic_class");
  if (!line) return Known<std::uint32_t>::Not(line.why_not());
  const std::size_t equals = line->find('=');
  const std::string text = equals == std::string::npos ? *line : line->substr(equals + 1);
  const auto value = ParseCount(text);
  if (!value || *value > 255) return Known<std::uint32_t>::Not("none is forced");
  return static_cast<std::uint32_t>(*value);
}

Known<Counters> ReadCounters(const HostFiles& files, const Hca& hca, const HcaPort& port) {
  const std::string directory = "/sys/class/infiniband/" + hca.name + "/ports/" +
                                std::to_string(port.number) + "/hw_counters";
  const auto names = files.List(directory);
  if (!names) return Known<Counters>::Not(WhyNot(names.error()));
  Counters counters;
  for (const std::string& name : *names) {
    if (const auto value = ReadCount(files, directory + "/" + name)) counters[name] = *value;
  }
  return counters;
}

}  // namespace

PortFacts ReadPort(const HostFiles& files, const Hca& hca, const HcaPort& port) {
  PortFacts facts;
  if (!port.netdevs.empty()) facts.netdev = port.netdevs.front();
  facts.counters = ReadCounters(files, hca, port);
  if (port.link_layer != LinkLayer::kEthernet || facts.netdev.empty()) return facts;
  facts.rdma_cm = ReadCma(files, hca, port);
  facts.trust = ReadTrust(files, facts.netdev);
  facts.ecn = ReadEcn(files, facts.netdev);
  facts.forced_traffic_class = ReadForcedClass(files, hca, port);
  return facts;
}

}  // namespace fairlead::deviceplugin
