// A node on which all is well, for tests to spoil.
#pragma once

#include <string>

#include "deviceplugin/doctor/checks.h"
#include "deviceplugin/inventory/gid_verdicts.h"

namespace fairlead::deviceplugin {

inline HcaPort WellPort() {
  HcaPort port;
  port.link_layer = LinkLayer::kEthernet;
  port.state = PortState::kActive;
  port.physical_state = PhysicalState::kLinkUp;
  port.rate_bits_per_second = 100'000'000'000;
  port.mtu_bytes = 9000;
  port.gid_table_length = 256;
  port.netdevs = {"ens1f0np0"};
  port.gids = {{.index = 3,
                .gid = ParseGidPrefix("10.0.0.7")->gid,
                .type = GidType::kRoceV2,
                .netdev = "ens1f0np0"}};
  port.ranked = JudgeGids(port, RdmaProtocol::kRoce, {});
  return port;
}

inline Hca WellHca() {
  Hca hca;
  hca.name = "mlx5_0";
  hca.driver = "mlx5_core";
  hca.protocol = RdmaProtocol::kRoce;
  hca.firmware = "22.39.1002";
  hca.board = "MT_0000000359";
  hca.pci = PciAddress{.domain = 0, .bus = 0x3b, .device = 0, .function = 0};
  hca.function = PciFunction::kPhysical;
  hca.ports = {WellPort()};
  return hca;
}

inline PortFacts WellPortFacts() {
  PortFacts facts;
  facts.netdev = "ens1f0np0";
  DcbFacts dcb;
  EtsFacts ets;
  for (std::uint8_t i = 0; i < kPriorities; ++i) ets.class_of[i] = i;
  ets.share_percent[0] = 0;
  ets.share_percent[3] = 100;
  ets.algorithm.fill(2);
  dcb.ets = ets;
  dcb.pfc = 0;
  dcb.priority_of_dscp[26] = 3;
  facts.dcb = dcb;
  facts.pause = PauseFacts{};
  facts.rdma_cm = CmaFacts{.roce_v2 = true, .tos = 106};
  EcnFacts ecn;
  ecn.notification.fill(true);
  ecn.reaction.fill(true);
  facts.ecn = ecn;
  facts.counters = Counters{{"roce_adp_retrans", 0}, {"out_of_buffer", 0}};
  return facts;
}

inline HcaFacts WellHcaFacts() {
  HcaFacts facts;
  facts.holders = std::vector<std::string>{"team/trainer-0/main"};
  facts.queue_pairs = std::uint64_t{8};
  facts.pci.link = PciLinkFacts{.gigatransfers_per_second = 16,
                                .width = 16,
                                .most_gigatransfers_per_second = 16,
                                .most_width = 16};
  facts.pci.control = PciControlFacts{.relaxed_ordering = true, .read_request_bytes = 4096};
  facts.pci.iommu = std::string("identity");
  facts.pci.redirecting_bridges = std::vector<std::string>();
  facts.ports = {WellPortFacts()};
  facts.firmware = std::map<std::string, FirmwareSetting>{
      {"ROCE_CC_PRIO_MASK_P1", {.current = "255", .next_boot = "255"}}};
  facts.acceleration = std::map<std::string, std::uint32_t>{{"roce_adp_retrans_en", 0}};
  facts.congestion = std::map<std::string, std::string>{{"rp_time_reset", "300"}};
  return facts;
}

inline LineFacts LineTo(const std::string& peer, Nanoseconds rtt, std::uint64_t capacity) {
  LineFacts line;
  line.peer = peer;
  line.rtt = rtt;
  line.rtt_source = RttSource::kMeasured;
  line.capacity_bits_per_second = capacity;
  line.floor = Nanoseconds(Milliseconds(25));
  return line;
}

// In Hong Kong, with 30 ms and 100 Gbps to Singapore.
inline NodeFacts WellNode() {
  NodeFacts facts;
  facts.inventory.hcas = {WellHca()};
  facts.inventory.rdma_cm = true;
  facts.inventory.netns_mode = NetnsMode::kShared;
  facts.hcas = {WellHcaFacts()};
  facts.host.kernel = std::string("6.8.0-45-generic");
  facts.host.memlock = MemlockFacts{.process = "containerd", .bytes = std::nullopt};
  facts.host.tcp = TcpFacts{.receive_bytes = {4096, 131072, 67108864},
                            .send_bytes = {4096, 16384, 67108864},
                            .slow_start_after_idle = false,
                            .window_scaling = true};
  facts.host.gpu_driver = GpuDriverFacts{};
  facts.host.default_route = std::string("eno1");
  facts.lines = SiteLines{.site = "hk", .lines = {LineTo("sg", Milliseconds(30), 100'000'000'000)}};
  facts.peer_differences = std::vector<PeerDifference>();
  PoolConfig pool;
  pool.priority.traffic_class = 106;
  facts.pools = {pool};
  return facts;
}

inline CheckReport ReportOf(const NodeFacts& facts, std::string_view check) {
  for (CheckReport& report : Examine(facts)) {
    if (report.name == check) return report;
  }
  return {};
}

}  // namespace fairlead::deviceplugin
