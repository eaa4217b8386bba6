#include <gtest/gtest.h>

#include "linkprobe/verbs/device_inventory.h"
#include "linkprobe/verbs/ud_queue.h"

namespace fairlead::linkprobe {
namespace {

RdmaPort ActivePort(std::uint8_t number, const std::vector<std::string>& gids) {
  RdmaPort port;
  port.number = number;
  port.state = PortState::kActive;
  port.link_layer = LinkLayer::kEthernet;
  for (std::uint32_t i = 0; i < gids.size(); ++i) {
    port.gids.push_back({.index = i, .gid = *ParseGid(gids[i]), .netdev = "eth1"});
  }
  port.ranked = RankGids(port.gids, GidPolicy{});
  return port;
}

RdmaDevice Device(const std::string& name, std::vector<RdmaPort> ports) {
  RdmaDevice device;
  device.name = name;
  device.ports = std::move(ports);
  return device;
}

TEST(ChooseRdmaSourceTest, TakesTheBestGidOfTheFirstUsablePort) {
  RdmaPort down = ActivePort(1, {"::ffff:10.0.0.1"});
  down.state = PortState::kDown;
  const auto source = ChooseRdmaSource(
      {Device("mlx5_0", {down}), Device("mlx5_1", {ActivePort(1, {"fe80::1", "::ffff:10.0.0.2"})})},
      "");
  ASSERT_TRUE(source);
  EXPECT_EQ(source->device, "mlx5_1");
  EXPECT_EQ(source->gid_index, 1U);
  EXPECT_EQ(HumanGid(source->gid), "10.0.0.2");
  EXPECT_EQ(source->roce_version, 2);
}

TEST(ChooseRdmaSourceTest, ANamedDeviceIsTakenOrNone) {
  const std::vector<RdmaDevice> devices{Device("mlx5_0", {ActivePort(1, {"::ffff:10.0.0.1"})}),
                                        Device("mlx5_1", {ActivePort(2, {"::ffff:10.0.0.2"})})};
  const auto source = ChooseRdmaSource(devices, "mlx5_1");
  ASSERT_TRUE(source);
  EXPECT_EQ(source->port, 2);
  const auto absent = ChooseRdmaSource(devices, "mlx5_7");
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().code, ErrorCode::kNotFound);
}

TEST(ChooseRdmaSourceTest, SaysWhyEachCandidateIsOut) {
  RdmaDevice iwarp = Device("siw0", {ActivePort(1, {"::ffff:10.0.0.1"})});
  iwarp.datagrams = false;
  RdmaPort down = ActivePort(1, {"::ffff:10.0.0.1"});
  down.state = PortState::kDown;
  RdmaPort infiniband = ActivePort(2, {"fe80::1"});
  infiniband.link_layer = LinkLayer::kInfiniband;
  RdmaDevice broken = Device("mlx5_9", {});
  broken.problem = "open RDMA device mlx5_9: Permission denied";
  const auto source = ChooseRdmaSource(
      {iwarp, Device("mlx5_0", {down, infiniband, ActivePort(3, {})}), broken}, "");
  ASSERT_FALSE(source);
  for (const char* part :
       {"siw0 port 1: iWARP", "mlx5_0 port 1: state is down", "mlx5_0 port 2: link layer",
        "mlx5_0 port 3: no usable GID", "mlx5_9: open RDMA device mlx5_9: Permission denied"}) {
    EXPECT_NE(source.error().message.find(part), std::string::npos)
        << part << " in " << source.error().message;
  }
  EXPECT_EQ(ChooseRdmaSource({}, "").error().message, "this host has no RDMA device");
}

TEST(UdWorkIdTest, KeepsEveryField) {
  const UdWorkId id = DecodeWorkId(std::uint64_t{1} << 63 | std::uint64_t{0x7fffff} << 40 |
                                   std::uint64_t{7} << 32 | 31);
  EXPECT_TRUE(id.receive);
  EXPECT_EQ(id.life, 0x7fffffU);
  EXPECT_EQ(id.path, 7U);
  EXPECT_EQ(id.slot, 31U);
  EXPECT_FALSE(DecodeWorkId(5).receive);
}

}  // namespace
}  // namespace fairlead::linkprobe
