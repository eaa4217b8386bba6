// Hosts as the doctor reads them: a manifest, what is laid over it, and recorded outputs of tools.
#pragma once

#include <fstream>
#include <sstream>
#include <string>

#include "deviceplugin/discovery/read_inventory.h"
#include "deviceplugin/doctor_facts/firmware_text.h"
#include "deviceplugin/doctor_facts/read_facts.h"
#include "tests/deviceplugin/discovery/manifest_files.h"
#include "tests/deviceplugin/discovery/manifest_gpus.h"

namespace fairlead::deviceplugin {

inline std::string Contents(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// In Hong Kong; 36 ms and 100 Gbps to Singapore, an RTT of nobody knows how much to Tokyo.
inline Config HongKong() {
  Config config;
  config.sites = {{.name = "hk", .coordinates = Coordinates{22.32, 114.17}},
                  {.name = "sg", .coordinates = Coordinates{1.35, 103.82}},
                  {.name = "tyo", .coordinates = Coordinates{35.68, 139.69}}};
  config.lines = {{.site_a = "hk", .site_b = "sg", .capacity_bits_per_second = 100'000'000'000},
                  {.site_a = "hk", .site_b = "tyo", .capacity_bits_per_second = std::nullopt}};
  config.deviceplugin.pools[0].priority.traffic_class = 106;
  return config;
}

// PFC and DSCP 26 on priority 3, half of the port for it.
inline DcbFacts DcbOfAConnectX() {
  DcbFacts facts;
  EtsFacts ets;
  for (std::uint8_t i = 0; i < kPriorities; ++i) ets.class_of[i] = i;
  ets.algorithm.fill(2);
  ets.share_percent = {50, 0, 0, 50, 0, 0, 0, 0};
  facts.ets = ets;
  facts.pfc = 1u << 3;
  facts.priority_of_dscp[26] = 3;
  return facts;
}

// The host of tests/testdata/hosts with what tests/testdata/doctor/`over` lays over it; empty:
// nothing, and neither tools nor the kernel tell more.
inline NodeFacts DoctoredHost(const std::string& host, const std::string& over) {
  const std::string base = "tests/testdata/doctor/" + over;
  const ManifestFiles files(Contents("tests/testdata/hosts/" + host + ".txt") +
                            (over.empty() ? "" : Contents(base + ".txt")));
  NodeInventory inventory = ReadInventory(files, {});
  inventory.gpus = GpusOf(files);
  inventory.netns_mode = NetnsMode::kShared;
  LiveSources live;
  if (!over.empty()) {
    live.dcb = [](const std::string&) -> Known<DcbFacts> { return DcbOfAConnectX(); };
    live.pause = [](const std::string&) -> Known<PauseFacts> { return PauseFacts{}; };
    live.firmware = [&](const std::vector<std::string>& functions) {
      const FirmwareAnswers answers{
          .settings = ParseFirmwareSettings(Contents(base + ".mlxconfig")),
          .acceleration = ParseRegister(Contents(base + ".mlxreg"))};
      return std::vector<FirmwareAnswers>(functions.size(), answers);
    };
  }
  Whereabouts whereabouts{.site = "hk", .rtts = {{"sg", {Milliseconds(36), RttSource::kGiven}}}};
  if (over == "connectx-spoilt") {
    whereabouts.differences = std::vector<PeerDifference>{
        {.trait = "path_mtu", .here = "1024", .there = "4096", .peer = "sg-1", .site = "sg"},
        {.trait = "path_mtu", .here = "1024", .there = "4096", .peer = "sg-2", .site = "sg"},
        {.trait = "traffic_class_forward",
         .here = "106",
         .there = "0",
         .peer = "sg-1",
         .site = "sg"}};
  }
  return ReadFacts(files, std::move(inventory), HongKong(), whereabouts, live);
}

}  // namespace fairlead::deviceplugin
