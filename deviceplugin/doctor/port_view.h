// The ports that the checks look at.
#pragma once

#include <string>
#include <vector>

#include "deviceplugin/doctor/node_facts.h"

namespace fairlead::deviceplugin {

// Points into the facts.
struct PortView {
  const Hca* hca = nullptr;
  const HcaFacts* hca_facts = nullptr;
  const HcaPort* port = nullptr;
  const PortFacts* facts = nullptr;

  // "mlx5_0 port 1 (ens1f0np0)".
  std::string Subject() const;
  // The network device, or a word for it in a command.
  std::string Interface() const;
};

// Those that carry RoCE and are active; of one that is down nothing else can be told. Pure.
std::vector<PortView> RocePorts(const NodeFacts& facts);

// Every port of every HCA. Pure.
std::vector<PortView> AllPorts(const NodeFacts& facts);

}  // namespace fairlead::deviceplugin
