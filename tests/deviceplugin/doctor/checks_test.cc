#include "deviceplugin/doctor/checks.h"

#include <gmock/gmock.h>

#include <functional>
#include <set>

#include "deviceplugin/doctor/idle_hcas.h"
#include "tests/deviceplugin/doctor/facts.h"

namespace fairlead::deviceplugin {
namespace {

using testing::HasSubstr;

TEST(ChecksTest, NothingIsWrongWithAWellNode) {
  for (const CheckReport& report : Examine(WellNode())) {
    // Congestion control is late on a long line, however it is set.
    if (report.name == "dcqcn_over_wan") continue;
    EXPECT_LE(report.status, CheckStatus::kOk) << report.name;
    for (const Finding& finding : report.findings) ADD_FAILURE() << finding.what;
    for (const Gap& gap : report.gaps) ADD_FAILURE() << report.name << ": " << gap.why;
  }
}

TEST(ChecksTest, NamesAreWordsAndDiffer) {
  std::set<std::string_view> names;
  for (const Check& check : AllChecks()) {
    EXPECT_TRUE(names.insert(check.name).second) << check.name;
    EXPECT_EQ(check.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), std::string_view::npos);
  }
  EXPECT_GE(names.size(), 30U);
}

// One change to a well node, and the one check that must then speak.
struct Spoilt {
  const char* name;
  std::function<void(NodeFacts&)> spoil;
  const char* check;
  CheckStatus status;
  const char* says;  // part of the finding's sentences
};

HcaPort& Port(NodeFacts& facts) { return facts.inventory.hcas[0].ports[0]; }

template <class Change>
void ChangePort(NodeFacts& facts, const Change& change) {
  change(facts.hcas[0].ports[0]);
}

template <class Change>
void ChangeDcb(NodeFacts& facts, const Change& change) {
  DcbFacts dcb = *facts.hcas[0].ports[0].dcb;
  change(dcb);
  facts.hcas[0].ports[0].dcb = dcb;
}

template <class Change>
void ChangeTcp(NodeFacts& facts, const Change& change) {
  TcpFacts tcp = *facts.host.tcp;
  change(tcp);
  facts.host.tcp = tcp;
}

void ChangeLine(NodeFacts& facts, LineFacts line) {
  facts.lines = SiteLines{.site = "hk", .lines = {std::move(line)}};
}

void DifferFromPeer(NodeFacts& facts, const char* trait, const char* here, const char* there) {
  facts.peer_differences = std::vector<PeerDifference>{
      {.trait = trait, .here = here, .there = there, .peer = "sg-1", .site = "sg"}};
}

constexpr auto kNote = CheckStatus::kNote;
constexpr auto kWarning = CheckStatus::kWarning;
constexpr auto kFault = CheckStatus::kFault;

const std::vector<Spoilt>& AllSpoilt() {
  static const std::vector<Spoilt> all{
      {"NoDevice",
       [](NodeFacts& f) {
         f.inventory.hcas.clear();
         f.hcas.clear();
       },
       "devices", kWarning, "no RDMA device"},
      {"PortDown",
       [](NodeFacts& f) {
         Port(f).state = PortState::kDown;
         Port(f).physical_state = PhysicalState::kDisabled;
       },
       "port_state", kWarning, "ip link set dev ens1f0np0 up"},
      {"SmallMtu", [](NodeFacts& f) { Port(f).mtu_bytes = 1500; }, "roce_mtu", kWarning,
       "366211 packets are under way in place of 91553"},
      {"MtuForNothing", [](NodeFacts& f) { Port(f).mtu_bytes = 300; }, "roce_mtu", kFault,
       "no room"},
      {"Memlock",
       [](NodeFacts& f) { f.host.memlock = MemlockFacts{.process = "crio", .bytes = 65536}; },
       "memlock", kFault, "65.5 kB"},
      {"CongestedClass", [](NodeFacts& f) { f.pools[0].priority.traffic_class = 107; },
       "traffic_class", kFault, "Use 104 + 2 = 106"},
      {"ForcedClass", [](NodeFacts& f) { f.hcas[0].ports[0].forced_traffic_class = 96u; },
       "traffic_class", kWarning, "Forced: 96"},
      {"TrustsTags", [](NodeFacts& f) { f.hcas[0].ports[0].trust = std::string("pcp"); },
       "dscp_trust", kWarning, "--trust dscp"},
      {"CmaVersion",
       [](NodeFacts& f) { f.hcas[0].ports[0].rdma_cm = CmaFacts{.roce_v2 = false, .tos = 106}; },
       "rdma_cm", kWarning, "RoCE v1"},
      {"CmaTos",
       [](NodeFacts& f) { f.hcas[0].ports[0].rdma_cm = CmaFacts{.kernel_default = true}; },
       "rdma_cm", kNote, "default_roce_tos: 0, the kernel's default"},
      {"PfcElsewhere", [](NodeFacts& f) { ChangeDcb(f, [](DcbFacts& d) { d.pfc = 1u << 4; }); },
       "pfc", kWarning, "goes to priority 3"},
      {"PfcEverywhere", [](NodeFacts& f) { ChangeDcb(f, [](DcbFacts& d) { d.pfc = 0xff; }); },
       "pfc", kWarning, "8 priorities"},
      {"PfcOverWan", [](NodeFacts& f) { ChangeDcb(f, [](DcbFacts& d) { d.pfc = 1u << 3; }); },
       "pfc_over_wan", kNote, "375 MB for each priority"},
      {"Pause", [](NodeFacts& f) { f.hcas[0].ports[0].pause = PauseFacts{.receive = true}; },
       "pause", kNote, "receive on, transmit off"},
      {"PauseAndPfc",
       [](NodeFacts& f) {
         ChangeDcb(f, [](DcbFacts& d) { d.pfc = 8; });
         f.hcas[0].ports[0].pause = PauseFacts{.receive = true, .transmit = true};
       },
       "pause", kWarning, "at once"},
      {"Ets", [](NodeFacts& f) { ChangeDcb(f, [](DcbFacts& d) { d.ets->share_percent[3] = 40; }); },
       "ets", kNote, "40 % of 100 Gbps"},
      {"EcnOff", [](NodeFacts& f) { f.hcas[0].ports[0].ecn = EcnFacts{}; }, "ecn", kNote,
       "Priority 3: notification off, reaction off"},
      {"EcnOverWan", [](NodeFacts&) {}, "dcqcn_over_wan", kNote, "37.5 MB queue up"},
      {"AdaptiveRetransmission",
       [](NodeFacts& f) {
         f.hcas[0].acceleration = std::map<std::string, std::uint32_t>{{"roce_adp_retrans_en", 1}};
       },
       "adaptive_retransmission", kWarning, "roce_adp_retrans_field_select=1"},
      {"AdaptiveByItsCounter",
       [](NodeFacts& f) {
         f.hcas[0].acceleration =
             Known<std::map<std::string, std::uint32_t>>::Not("mstreg is not installed");
         f.hcas[0].ports[0].counters = Counters{{"roce_adp_retrans", 812}};
       },
       "adaptive_retransmission", kWarning, "counts 812"},
      {"GaveUp",
       [](NodeFacts& f) {
         f.hcas[0].ports[0].counters = Counters{{"req_transport_retries_exceeded", 2}};
       },
       "transport_errors", kNote, "2 times"},
      {"IdleHca", [](NodeFacts& f) { f.hcas[0].queue_pairs = std::uint64_t{0}; }, "tcp_fallback",
       kNote, "team/trainer-0/main"},
      {"IdleHcaForMinutes",
       [](NodeFacts& f) {
         f.hcas[0].queue_pairs = std::uint64_t{0};
         MarkIdleBefore(FindIdle(f), f);
       },
       "tcp_fallback", kWarning, "for minutes"},
      {"ShortTimeout",
       [](NodeFacts& f) { ChangeLine(f, LineTo("moon", Milliseconds(2600), 1'000'000'000)); },
       "ack_timeout", kWarning, "NCCL_IB_TIMEOUT 20 is 4.295 s; RTT 2.6 s"},
      {"NoGid",
       [](NodeFacts& f) {
         Port(f).gids.clear();
         Port(f).ranked.clear();
       },
       "gids", kFault, "0 of 256 entries"},
      {"OnlyRoceV1",
       [](NodeFacts& f) {
         Port(f).gids[0].type = GidType::kRoceV1;
         Port(f).ranked = JudgeGids(Port(f), RdmaProtocol::kRoce, {});
       },
       "gids", kFault, "no router forwards"},
      {"BelowTheFloor",
       [](NodeFacts& f) { ChangeLine(f, LineTo("sg", Milliseconds(18), 100'000'000'000)); },
       "rtt_floor", kFault, "no fibre is below 25 ms"},
      {"NoCapacity",
       [](NodeFacts& f) {
         LineFacts line = LineTo("sg", Milliseconds(30), 1);
         line.capacity_bits_per_second = Known<std::uint64_t>::Not("none");
         ChangeLine(f, line);
       },
       "line_capacity", kNote, "not declared"},
      {"TooMuchLine",
       [](NodeFacts& f) { ChangeLine(f, LineTo("sg", Milliseconds(30), 400'000'000'000)); },
       "line_capacity", kNote, "25.0 % of the line"},
      {"Bond", [](NodeFacts& f) { f.inventory.hcas[0].bonded = true; }, "lag", kNote, "QPS"},
      {"Soft", [](NodeFacts& f) { f.inventory.hcas[0].driver = "rxe"; }, "soft_rdma", kNote,
       "128 packets of 4096 bytes under way: 139.8 Mbps"},
      {"FirmwarePending",
       [](NodeFacts& f) {
         f.hcas[0].firmware = std::map<std::string, FirmwareSetting>{
             {"SRIOV_EN", {.current = "False(0)", .next_boot = "True(1)"}}};
       },
       "firmware_settings", kWarning, "SRIOV_EN is False(0), will be True(1)"},
      {"FirmwareDiffers",
       [](NodeFacts& f) {
         f.inventory.hcas.push_back(f.inventory.hcas[0]);
         f.inventory.hcas[1].name = "mlx5_1";
         f.inventory.hcas[1].firmware = "22.36.1010";
         f.hcas.push_back(f.hcas[0]);
       },
       "firmware_versions", kWarning, "22.36.1010 on mlx5_1; 22.39.1002 on mlx5_0"},
      {"PciWidth",
       [](NodeFacts& f) {
         f.hcas[0].pci.link = PciLinkFacts{.gigatransfers_per_second = 8,
                                           .width = 8,
                                           .most_gigatransfers_per_second = 16,
                                           .most_width = 16};
       },
       "pci_link", kWarning, "8.0 GT/s x8"},
      {"NoRelaxedOrdering",
       [](NodeFacts& f) {
         f.hcas[0].pci.control =
             PciControlFacts{.relaxed_ordering = false, .read_request_bytes = 4096};
       },
       "pci_tuning", kNote, "RlxdOrd-"},
      {"Iommu", [](NodeFacts& f) { f.hcas[0].pci.iommu = std::string("DMA-FQ"); }, "iommu", kNote,
       "iommu=pt"},
      {"Acs",
       [](NodeFacts& f) {
         f.host.gpu_driver = GpuDriverFacts{.loaded = true, .peermem = true, .version = "v"};
         f.hcas[0].pci.redirecting_bridges = std::vector<std::string>{"0000:3a:01.0"};
       },
       "acs", kWarning, "0000:3a:01.0"},
      {"NoGpuDirect",
       [](NodeFacts& f) {
         f.host.gpu_driver = GpuDriverFacts{.loaded = true, .version = "NVRM version 535"};
       },
       "gpu_direct", kWarning, "modprobe nvidia_peermem"},
      {"TcpWindow",
       [](NodeFacts& f) {
         ChangeTcp(f, [](TcpFacts& t) { t.receive_bytes[2] = t.send_bytes[2] = 6291456; });
       },
       "tcp_buffers", kNote, "about 838.9 Mbps"},
      {"TcpScaling",
       [](NodeFacts& f) { ChangeTcp(f, [](TcpFacts& t) { t.window_scaling = false; }); },
       "tcp_bootstrap", kWarning, "64 KiB"},
      {"TcpIdle",
       [](NodeFacts& f) { ChangeTcp(f, [](TcpFacts& t) { t.slow_start_after_idle = true; }); },
       "tcp_bootstrap", kNote, "tcp_slow_start_after_idle"},
      {"ResendsNow",
       [](NodeFacts& f) {
         f.hcas[0].acceleration = Known<std::map<std::string, std::uint32_t>>::Not("no mstflint");
         f.hcas[0].ports[0].resending = "adaptive_timer";
       },
       "adaptive_retransmission", kWarning, "It has acted, and linkprobe sees it resend now"},
      {"PeersResend", [](NodeFacts& f) { f.hcas[0].ports[0].resending = "peers"; },
       "adaptive_retransmission", kWarning, "Peers resend what has arrived here."},
      {"PeerOfAnotherVersion", [](NodeFacts& f) { DifferFromPeer(f, "roce_version", "v2", "v1"); },
       "peer_ends", kFault, "Here v2, v1 at sg-1 (sg)."},
      {"PeerOfAnotherFamily", [](NodeFacts& f) { DifferFromPeer(f, "gid_family", "IPv4", "IPv6"); },
       "peer_ends", kFault, "Here IPv4, IPv6 at sg-1 (sg)."},
      {"PeerOfAnotherMtu", [](NodeFacts& f) { DifferFromPeer(f, "path_mtu", "4096", "1024"); },
       "peer_ends", kWarning, "the smaller for both"},
      {"PeerThatMarksOtherwise",
       [](NodeFacts& f) { DifferFromPeer(f, "traffic_class", "106", "0"); }, "peer_ends", kNote,
       "linkprobe.trafficClass"},
      {"ClassLostOnTheWay",
       [](NodeFacts& f) { DifferFromPeer(f, "traffic_class_forward", "106", "0"); }, "peer_ends",
       kWarning, "Sent as 106, arrives as 0 at sg-1 (sg)."},
      {"ClassLostOnTheWayBack",
       [](NodeFacts& f) { DifferFromPeer(f, "traffic_class_reverse", "0", "106"); }, "peer_ends",
       kWarning, "Sent as 106 by sg-1 (sg), arrives as 0."},
      {"ExclusiveNamespaces", [](NodeFacts& f) { f.inventory.netns_mode = NetnsMode::kExclusive; },
       "netns_mode", kNote, "rdma-cni"},
  };
  return all;
}

class SpoiltNode : public testing::TestWithParam<Spoilt> {};

TEST_P(SpoiltNode, IsFoundByTheCheckForIt) {
  NodeFacts facts = WellNode();
  GetParam().spoil(facts);
  const CheckReport report = ReportOf(facts, GetParam().check);
  EXPECT_EQ(report.status, GetParam().status);
  ASSERT_FALSE(report.findings.empty());
  const Finding& finding = report.findings.front();
  EXPECT_THAT(finding.what + " " + finding.evidence + " " + finding.why + " " + finding.remedy,
              HasSubstr(GetParam().says));
  EXPECT_FALSE(finding.what.empty());
  EXPECT_FALSE(finding.evidence.empty());
  EXPECT_FALSE(finding.why.empty());
  EXPECT_FALSE(finding.remedy.empty());
}

std::string NameOf(const testing::TestParamInfo<Spoilt>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(All, SpoiltNode, testing::ValuesIn(AllSpoilt()), NameOf);

// A default-made node knows nothing; no check may call that good or bad.
TEST(ChecksTest, WhatIsNotKnownIsNeitherGoodNorBad) {
  NodeFacts facts;
  facts.inventory.hcas = {WellHca()};
  facts.hcas = {HcaFacts{}};
  facts.hcas[0].ports = {PortFacts{}};
  facts.hcas[0].ports[0].netdev = "ens1f0np0";
  PoolConfig pool;
  pool.priority.traffic_class = 106;
  facts.pools = {pool};
  const std::set<std::string_view> from_inventory{"devices",  "port_state",    "gids",
                                                  "roce_mtu", "traffic_class", "firmware_versions"};
  for (const CheckReport& report : Examine(facts)) {
    if (from_inventory.contains(report.name)) continue;
    EXPECT_TRUE(report.status == CheckStatus::kUnknown ||
                report.status == CheckStatus::kNotApplicable)
        << report.name << " " << CheckStatusName(report.status);
    EXPECT_TRUE(report.findings.empty()) << report.name;
  }
}

TEST(ChecksTest, AGidTableThatCouldNotBeReadIsNotKnown) {
  NodeFacts facts = WellNode();
  Port(facts).gids.clear();
  Port(facts).ranked.clear();
  facts.inventory.hcas[0].problems = {
      "Cannot read \"/sys/class/infiniband/mlx5_0/ports/1/gids/3\"."};
  EXPECT_EQ(ReportOf(facts, "gids").status, CheckStatus::kUnknown);
}

TEST(ChecksTest, AnHcaIsIdleForMinutesOnlyWithTheSameHolders) {
  NodeFacts facts = WellNode();
  facts.hcas[0].queue_pairs = std::uint64_t{0};
  const IdleHcas before = FindIdle(facts);
  EXPECT_EQ(before.size(), 1U);
  facts.hcas[0].holders = std::vector<std::string>{"team/trainer-1/main"};
  MarkIdleBefore(before, facts);
  EXPECT_EQ(ReportOf(facts, "tcp_fallback").status, CheckStatus::kNote);
  facts.hcas[0].queue_pairs = Known<std::uint64_t>::Not("not the host's PID namespace");
  EXPECT_EQ(ReportOf(facts, "tcp_fallback").status, CheckStatus::kUnknown);
  facts.hcas[0].holders = std::vector<std::string>();
  EXPECT_EQ(ReportOf(facts, "tcp_fallback").status, CheckStatus::kNotApplicable);
}

TEST(ChecksTest, OnlyTheWindowThatIsTooSmallIsToBeSet) {
  NodeFacts facts = WellNode();
  ChangeTcp(facts, [](TcpFacts& tcp) { tcp.send_bytes[2] = 4194304; });
  const std::string remedy = ReportOf(facts, "tcp_buffers").findings.at(0).remedy;
  EXPECT_THAT(remedy, HasSubstr("tcp_wmem=\"4096 16384 8388608\""));
  EXPECT_THAT(remedy, testing::Not(HasSubstr("tcp_rmem")));
}

TEST(ChecksTest, PeersThatDifferAlikeAreOneMatter) {
  NodeFacts facts = WellNode();
  facts.peer_differences = std::vector<PeerDifference>{
      {.trait = "path_mtu", .here = "4096", .there = "1024", .peer = "sg-1", .site = "sg"},
      {.trait = "path_mtu", .here = "4096", .there = "1024", .peer = "sg-2", .site = "sg"},
      {.trait = "path_mtu", .here = "4096", .there = "2048", .peer = "us-1", .site = "us"},
      {.trait = "of a newer linkprobe", .here = "1", .there = "2", .peer = "us-1", .site = "us"}};
  const CheckReport report = ReportOf(facts, "peer_ends");
  ASSERT_EQ(report.findings.size(), 2U);
  EXPECT_THAT(report.findings[0].evidence, HasSubstr("1024 at sg-1 (sg), sg-2 (sg)."));
  facts.peer_differences = Known<std::vector<PeerDifference>>::Not("no linkprobe");
  EXPECT_EQ(ReportOf(facts, "peer_ends").status, CheckStatus::kUnknown);
}

// Without lines, what depends on them is not guessed.
TEST(ChecksTest, WithoutLinesNoVerdictOnThem) {
  NodeFacts facts = WellNode();
  facts.lines = Known<SiteLines>::Not("the site of this node is not known; give --site NAME");
  ChangeDcb(facts, [](DcbFacts& dcb) { dcb.pfc = 1u << 3; });
  facts.hcas[0].acceleration = std::map<std::string, std::uint32_t>{{"roce_adp_retrans_en", 1}};
  for (const char* check : {"pfc_over_wan", "adaptive_retransmission", "rtt_floor", "line_capacity",
                            "ack_timeout", "tcp_buffers"}) {
    const CheckReport report = ReportOf(facts, check);
    EXPECT_EQ(report.status, CheckStatus::kUnknown) << check;
    ASSERT_FALSE(report.gaps.empty()) << check;
    EXPECT_THAT(report.gaps.front().why, HasSubstr("--site")) << check;
  }
}

}  // namespace
}  // namespace fairlead::deviceplugin
