#include "deviceplugin/doctor_facts/read_facts.h"

#include <gmock/gmock.h>

#include "deviceplugin/discovery/read_inventory.h"
#include "deviceplugin/doctor_facts/host_reader.h"
#include "tests/deviceplugin/discovery/manifest_files.h"

namespace fairlead::deviceplugin {
namespace {

using testing::HasSubstr;

constexpr const char* kFunction = "/sys/devices/pci0000:3a/0000:3a:00.0/0000:3b:00.0";

NodeFacts FactsOf(const ManifestFiles& files, const LiveSources& live = {}) {
  return ReadFacts(files, ReadInventory(files, {}), {}, {}, live);
}

ManifestFiles Host() { return ManifestFiles::Load("tests/testdata/hosts/connectx-dual-port.txt"); }

TEST(ReadFactsTest, AFactForEachDeviceAndPort) {
  const NodeFacts facts = FactsOf(Host());
  ASSERT_EQ(facts.hcas.size(), facts.inventory.hcas.size());
  for (std::size_t i = 0; i < facts.hcas.size(); ++i) {
    EXPECT_EQ(facts.hcas[i].ports.size(), facts.inventory.hcas[i].ports.size());
  }
  EXPECT_EQ(facts.hcas[0].ports[0].netdev, "ens1f0np0");
}

TEST(ReadFactsTest, WhatTheManifestLacksIsNotKnown) {
  const NodeFacts facts = FactsOf(Host());
  EXPECT_THAT(facts.hcas[0].pci.link.why_not(), HasSubstr("current_link_speed"));
  EXPECT_THAT(facts.host.memlock.why_not(), HasSubstr("hostPID"));
  EXPECT_FALSE(facts.host.tcp);
  EXPECT_FALSE(facts.hcas[0].ports[0].rdma_cm);
  EXPECT_FALSE(facts.lines);
}

TEST(ReadFactsTest, PciAndIommu) {
  ManifestFiles files = Host();
  const std::string base = kFunction;
  files.Change(base + "/current_link_speed = 8.0 GT/s PCIe");
  files.Change(base + "/current_link_width = 8");
  files.Change(base + "/max_link_speed = 16.0 GT/s PCIe");
  files.Change(base + "/max_link_width = 16");
  files.Change(base + "/iommu_group/type = DMA-FQ");
  const NodeFacts facts = FactsOf(files);
  ASSERT_TRUE(facts.hcas[0].pci.link) << facts.hcas[0].pci.link.why_not();
  EXPECT_EQ(facts.hcas[0].pci.link->gigatransfers_per_second, 8);
  EXPECT_EQ(facts.hcas[0].pci.link->most_width, 16U);
  EXPECT_EQ(*facts.hcas[0].pci.iommu, "DMA-FQ");
  EXPECT_EQ(*facts.hcas[1].pci.iommu, "none");
}

TEST(ReadFactsTest, NonsenseIsNotKnown) {
  ManifestFiles files = Host();
  const std::string base = kFunction;
  files.Change(base + "/current_link_speed = Unknown");
  files.Change(base + "/current_link_width = 255");
  files.Change("/proc/sys/net/ipv4/tcp_rmem = 1 2");
  files.Change("/proc/sys/net/ipv4/tcp_wmem = 1 2 3");
  files.Change("/sys/kernel/config/rdma_cm/mlx5_0/ports/1/default_roce_mode = RoCE v9");
  files.Change("/sys/kernel/config/rdma_cm/mlx5_0/ports/1/default_roce_tos = 0");
  files.Change(base + "/net/ens1f0np0/qos/trust = perhaps");
  const NodeFacts facts = FactsOf(files);
  EXPECT_FALSE(facts.hcas[0].pci.link);
  EXPECT_THAT(facts.host.tcp.why_not(), HasSubstr("three numbers"));
  EXPECT_THAT(facts.hcas[0].ports[0].rdma_cm.why_not(), HasSubstr("RoCE v9"));
  EXPECT_THAT(facts.hcas[0].ports[0].trust.why_not(), HasSubstr("perhaps"));
}

TEST(ReadFactsTest, DefaultsOfRdmaCm) {
  ManifestFiles files = Host();
  files.Change("/sys/kernel/config/rdma_cm dir");
  EXPECT_TRUE(FactsOf(files).hcas[0].ports[0].rdma_cm->kernel_default);
  files.Change("/sys/kernel/config/rdma_cm/mlx5_0/ports/1/default_roce_mode = IB/RoCE v1");
  files.Change("/sys/kernel/config/rdma_cm/mlx5_0/ports/1/default_roce_tos = 106");
  const NodeFacts facts = FactsOf(files);
  EXPECT_FALSE(facts.hcas[0].ports[0].rdma_cm->roce_v2);
  EXPECT_EQ(facts.hcas[0].ports[0].rdma_cm->tos, 106U);
}

TEST(ReadFactsTest, TheRuntimesLimit) {
  ManifestFiles files = Host();
  files.Change("/proc/812/comm = containerd");
  files.Change("/proc/900/comm = containerd-shim");
  files.Change(
      "/proc/812/limits = Max locked memory         8388608              8388608              "
      "bytes");
  const NodeFacts facts = FactsOf(files);
  ASSERT_TRUE(facts.host.memlock) << facts.host.memlock.why_not();
  EXPECT_EQ(facts.host.memlock->process, "containerd");
  EXPECT_EQ(facts.host.memlock->bytes, 8388608U);
}

TEST(ReadFactsTest, OnlyPhysicalConnectXIsAskedForFirmware) {
  std::vector<std::string> asked;
  LiveSources live;
  live.firmware = [&](const std::vector<std::string>& functions) {
    asked = functions;
    std::vector<FirmwareAnswers> answers(1);
    answers[0].acceleration = std::map<std::string, std::uint32_t>{{"roce_adp_retrans_en", 1}};
    return answers;  // one too few
  };
  const NodeFacts facts = FactsOf(Host(), live);
  EXPECT_THAT(asked, testing::ElementsAre("0000:3b:00.0", "0000:3b:00.1"));
  EXPECT_TRUE(facts.hcas[0].acceleration);
  EXPECT_FALSE(facts.hcas[1].acceleration);
  FactsOf(ManifestFiles::Load("tests/testdata/hosts/bnxt.txt"), live);
  EXPECT_EQ(asked.size(), 2U);  // not asked again
}

TEST(ReadFactsTest, SysctlsOfSeveralNumbers) {
  ManifestFiles files = Host();
  files.Change("/proc/sys/net/ipv4/tcp_rmem = 4096\\x09131072\\x096291456");
  files.Change("/proc/sys/net/ipv4/tcp_wmem = 4096\\x0916384\\x094194304");
  const NodeFacts facts = FactsOf(files);
  ASSERT_TRUE(facts.host.tcp) << facts.host.tcp.why_not();
  EXPECT_EQ(facts.host.tcp->receive_bytes[2], 6291456U);
  EXPECT_EQ(facts.host.tcp->send_bytes[1], 16384U);
}

TEST(ReadFactsTest, QueuePairsOfOthersThanLinkprobe) {
  ManifestFiles files = Host();
  files.Change("/proc/500/comm = fairlead-linkpr");
  files.Change("/proc/501/comm = python3");
  LiveSources live;
  live.queue_pairs = [] {
    return std::map<std::string, std::vector<std::uint32_t>>{{"mlx5_0", {500, 501, 501, 777}},
                                                             {"mlx5_1", {500}}};
  };
  const NodeFacts facts = FactsOf(files, live);
  EXPECT_EQ(*facts.hcas[0].queue_pairs, 3U);  // whose owner is not seen counts
  EXPECT_EQ(*facts.hcas[1].queue_pairs, 0U);
  EXPECT_FALSE(FactsOf(files).hcas[0].queue_pairs);
}

TEST(HostReaderTest, Memlock) {
  constexpr const char* kHead =
      "Limit                     Soft Limit           Hard Limit           Units     \n";
  const std::string head = kHead;
  EXPECT_EQ(ParseMemlock(head + "Max locked memory         65536  65536  bytes\n").value(), 65536U);
  EXPECT_FALSE(
      ParseMemlock(head + "Max locked memory         unlimited unlimited bytes\n")->has_value());
  EXPECT_FALSE(ParseMemlock(head));
  EXPECT_FALSE(ParseMemlock("Max locked memory"));
  EXPECT_FALSE(ParseMemlock("Max locked memory many"));
}

TEST(HostReaderTest, DefaultRoute) {
  const std::string table =
      "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"
      "ens1f0np0\t00000000\t0100000A\t0003\t0\t0\t200\t00000000\t0\t0\t0\n"
      "eno1\t00000000\t0100000A\t0003\t0\t0\t100\t00000000\t0\t0\t0\n"
      "eno1\t0000000A\t00000000\t0001\t0\t0\t0\t000000FF\t0\t0\t0\n";
  EXPECT_EQ(DefaultRouteOf(table), "eno1");
  EXPECT_EQ(DefaultRouteOf("Iface\n"), "");
  EXPECT_EQ(DefaultRouteOf(""), "");
}

}  // namespace
}  // namespace fairlead::deviceplugin
