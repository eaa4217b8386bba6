// All that the checks need, of one host.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "common/config/config.h"
#include "deviceplugin/discovery/host_files.h"
#include "deviceplugin/doctor/node_facts.h"
#include "deviceplugin/doctor_facts/line_reader.h"

namespace fairlead::deviceplugin {

// What the firmware of one PCI function says.
struct FirmwareAnswers {
  Known<std::map<std::string, FirmwareSetting>> settings;
  Known<std::map<std::string, std::uint32_t>> acceleration;  // register ROCE_ACCL
};

// What no file tells. One that is not set is not asked.
struct LiveSources {
  // Of PCI functions ("0000:3b:00.0"), in their order.
  std::function<std::vector<FirmwareAnswers>(const std::vector<std::string>& functions)> firmware;
  // The processes that own queue pairs, once for each queue pair, by RDMA device.
  std::function<Known<std::map<std::string, std::vector<std::uint32_t>>>()> queue_pairs;
  std::function<Known<DcbFacts>(const std::string& netdev)> dcb;
  std::function<Known<PauseFacts>(const std::string& netdev)> pause;
};

// Reads files only, and asks `live`. Never fails: what cannot be had is not known.
NodeFacts ReadFacts(const HostFiles& files, NodeInventory inventory, const Config& config,
                    const Whereabouts& whereabouts, const LiveSources& live);

}  // namespace fairlead::deviceplugin
