// Network devices, as far as they concern HCAs.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "deviceplugin/discovery/host_files.h"
#include "deviceplugin/inventory/pci.h"

namespace fairlead::deviceplugin {

struct Netdev {
  bool up = true;                // as far as the kernel knows
  std::uint32_t mtu_bytes = 0;   // 0: not told
  std::uint32_t port_index = 0;  // which port of its device, counted from 0
  bool representor = false;      // stands for a virtual function on its switch
  std::optional<PciAddress> pci;
  std::string bond;                 // the bond it is a slave of; empty: none
  std::vector<std::string> slaves;  // of a bond
  std::vector<std::string> problems;
};

// Reads each network device of this network namespace once, when it is asked for. Used by one
// thread, for one reading of the inventory.
class NetdevTable {
 public:
  explicit NetdevTable(const HostFiles& files) : files_(files) {}

  // Null where there is no such device in this network namespace.
  const Netdev* Find(const std::string& name);

 private:
  std::optional<Netdev> Read(const std::string& name) const;

  const HostFiles& files_;
  std::map<std::string, std::optional<Netdev>> known_;
};

}  // namespace fairlead::deviceplugin
