#include "linkprobe/cli/devices.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace fairlead::linkprobe {
namespace {

using nlohmann::json;

std::string Padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size() + 1), ' ');
  return text;
}

std::string GidLine(const RankedGid& ranked, const GidEntry& entry) {
  std::string line = "    gid " + Padded(std::to_string(entry.index), 4);
  line += Padded(HumanGid(entry.gid), 28);
  line += Padded(std::string(GidTypeName(entry.type)), 11);
  line += Padded(entry.netdev.empty() ? "-" : entry.netdev, 12);
  line += ranked.usable ? "rank " + std::to_string(ranked.rank) : "not used";
  return line + (ranked.reason.empty() ? "" : ": " + ranked.reason) + "\n";
}

std::string AsText(const std::vector<RdmaDevice>& devices) {
  std::string text;
  for (const RdmaDevice& device : devices) {
    text += device.name + (device.hardware_stamps ? ": hardware stamps" : ": software stamps") +
            (device.datagrams ? "" : ", iWARP: no unreliable datagrams") + "\n";
    if (!device.problem.empty()) text += "  problem: " + device.problem + "\n";
    for (const RdmaPort& port : device.ports) {
      text += "  port " + std::to_string(port.number) + ": " +
              std::string(PortStateName(port.state)) + ", " +
              std::string(LinkLayerName(port.link_layer)) + ", active_mtu " +
              std::to_string(port.active_mtu_bytes) + " of " + std::to_string(port.max_mtu_bytes) +
              "\n";
      for (const RankedGid& ranked : port.ranked) {
        if (const GidEntry* entry = FindGid(port.gids, ranked.index))
          text += GidLine(ranked, *entry);
      }
      if (port.gids.empty()) text += "    no GIDs\n";
    }
  }
  const auto source = ChooseRdmaSource(devices, "");
  if (!source) return text + "probes go over UDP: " + source.error().message + "\n";
  return text + "probes go over verbs from " + source->device + " port " +
         std::to_string(source->port) + " gid_index " + std::to_string(source->gid_index) + " (" +
         HumanGid(source->gid) + ")\n";
}

json ToJson(const RdmaPort& port) {
  json gids = json::array();
  for (const RankedGid& ranked : port.ranked) {
    const GidEntry* entry = FindGid(port.gids, ranked.index);
    if (entry == nullptr) continue;
    gids.push_back({{"gid_index", entry->index},
                    {"gid", HumanGid(entry->gid)},
                    {"type", GidTypeName(entry->type)},
                    {"netdev", entry->netdev},
                    {"usable", ranked.usable},
                    {"rank", ranked.rank},
                    {"warning", ranked.warning},
                    {"reason", ranked.reason}});
  }
  return {{"port", port.number},
          {"state", PortStateName(port.state)},
          {"link_layer", LinkLayerName(port.link_layer)},
          {"active_mtu_bytes", port.active_mtu_bytes},
          {"max_mtu_bytes", port.max_mtu_bytes},
          {"gids", std::move(gids)}};
}

std::string AsJson(const std::vector<RdmaDevice>& devices) {
  json list = json::array();
  for (const RdmaDevice& device : devices) {
    json ports = json::array();
    for (const RdmaPort& port : device.ports) ports.push_back(ToJson(port));
    list.push_back({{"device", device.name},
                    {"hardware_stamps", device.hardware_stamps},
                    {"datagrams", device.datagrams},
                    {"problem", device.problem},
                    {"ports", std::move(ports)}});
  }
  json document{{"devices", std::move(list)}};
  if (const auto source = ChooseRdmaSource(devices, "")) {
    document["chosen"] = {{"device", source->device},
                          {"port", source->port},
                          {"gid_index", source->gid_index},
                          {"gid", HumanGid(source->gid)}};
  } else {
    document["chosen"] = nullptr;
    document["reason"] = source.error().message;
  }
  // What a device calls itself may be any bytes; they must not make the output unreadable.
  return document.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string DescribeDevices(const std::vector<RdmaDevice>& devices, bool as_json) {
  return as_json ? AsJson(devices) : AsText(devices);
}

}  // namespace fairlead::linkprobe
