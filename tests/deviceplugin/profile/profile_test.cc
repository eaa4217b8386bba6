#include "deviceplugin/profile/profile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "deviceplugin/profile/ack_timeout.h"
#include "tests/deviceplugin/profile/port_tables.h"

namespace fairlead::deviceplugin {
namespace {

using Env = std::map<std::string, std::string>;

const Table kUsual{"1 fe80::1", "2 fe80::1", "1 10.0.0.1", "2 10.0.0.1"};

TEST(AckTimeout, OutlastsTheOutage) {
  const struct {
    Nanoseconds outage;
    std::uint32_t exponent;
  } kCases[] = {
      {Seconds(1), 18},  {Milliseconds(7516), 18}, {Milliseconds(7517), 19}, {Seconds(30), 20},
      {Seconds(31), 21}, {Seconds(120), 22},       {Seconds(240), 23},       {Seconds(3600), 27},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(AckTimeoutExponent(c.outage), c.exponent) << c.outage.count();
    EXPECT_GE(kRetries * AckTimeout(c.exponent), c.outage);
  }
  EXPECT_EQ(AckTimeout(20), Nanoseconds(4'294'967'296));
  EXPECT_EQ(AckTimeoutExponent(Seconds(1'000'000)), 31U);
}

ProfileSettings Settings(PodNetwork network) {
  ProfileSettings settings;
  settings.resource = "rdma/hca";
  settings.network = network;
  return settings;
}

Hca Full(const std::string& name, std::uint8_t bus) {
  Hca hca = RoceHca(name, {RocePort(kUsual)});
  hca.pci = PciAddress{0, bus, 0, 0};
  hca.numa_node = 1;
  hca.ports[0].rate_bits_per_second = 100'000'000'000;
  return hca;
}

Profile Make(const std::vector<Hca>& hcas, const ProfileSettings& settings) {
  std::vector<const Hca*> pointers;
  for (const Hca& hca : hcas) pointers.push_back(&hca);
  const Profile profile = MakeProfile(pointers, settings);
  std::reverse(pointers.begin(), pointers.end());
  EXPECT_EQ(MakeProfile(pointers, settings).env, profile.env);  // in whatever order
  return profile;
}

TEST(Profile, OnTheHostsNetworkIsComplete) {
  ProfileSettings settings = Settings(PodNetwork::kHost);
  settings.priority = {.traffic_class = 106, .service_level = 3, .control_traffic_class = 192};
  const Profile profile = Make({Full("mlx5_1", 0x5e), Full("mlx5_0", 0x3b)}, settings);
  EXPECT_EQ(profile.env, (Env{{"NCCL_IB_HCA", "=mlx5_0:1,mlx5_1:1"},
                              {"NCCL_IB_GID_INDEX", "3"},
                              {"NCCL_IB_TC", "106"},
                              {"NCCL_IB_FIFO_TC", "192"},
                              {"NCCL_IB_SL", "3"},
                              {"NCCL_IB_TIMEOUT", "20"},
                              {"NCCL_IB_RETRY_CNT", "7"},
                              {"UCX_NET_DEVICES", "mlx5_0:1,mlx5_1:1"},
                              {"UCX_IB_GID_INDEX", "3"},
                              {"UCX_IB_TRAFFIC_CLASS", "106"},
                              {"UCX_IB_SL", "3"},
                              {"UCX_RC_TIMEOUT", "4295ms"},
                              {"UCX_RC_RETRY_COUNT", "7"},
                              {"FAIRLEAD_HCAS_RDMA_HCA",
                               "mlx5_0:1 roce 100Gbps 0000:3b:00.0 NUMA 1 GID 3 10.0.0.1; "
                               "mlx5_1:1 roce 100Gbps 0000:5e:00.0 NUMA 1 GID 3 10.0.0.1"}}));
  EXPECT_TRUE(profile.warnings.empty());
}

TEST(Profile, OnAPodsNetworkSaysNothingThatItsTableDecides) {
  ProfileSettings settings = Settings(PodNetwork::kPod);
  settings.gid_allow = {ParseGidPrefix("10.0.0.0/8").value()};
  EXPECT_EQ(Make({Full("mlx5_0", 0x3b)}, settings).env,
            (Env{{"NCCL_IB_HCA", "=mlx5_0:1"},
                 {"NCCL_IB_ADDR_FAMILY", "AF_INET"},
                 {"NCCL_IB_ADDR_RANGE", "10.0.0.0/8"},
                 {"NCCL_IB_ROCE_VERSION_NUM", "2"},
                 {"NCCL_IB_TIMEOUT", "20"},
                 {"NCCL_IB_RETRY_CNT", "7"},
                 {"UCX_NET_DEVICES", "mlx5_0:1"},
                 {"UCX_RC_TIMEOUT", "4295ms"},
                 {"UCX_RC_RETRY_COUNT", "7"},
                 {"FAIRLEAD_HCAS_RDMA_HCA", "mlx5_0:1 roce 100Gbps 0000:3b:00.0 NUMA 1"}}));
  settings.gid_allow = {ParseGidPrefix("2001:db8::/32").value()};
  const Env env = Make({Full("mlx5_0", 0x3b)}, settings).env;
  EXPECT_EQ(env.at("NCCL_IB_ADDR_FAMILY"), "AF_INET6");
  EXPECT_EQ(env.at("NCCL_IB_ADDR_RANGE"), "2001:db8::/32");
}

TEST(Profile, WithoutVariablesIsForPeopleOnly) {
  ProfileSettings settings = Settings(PodNetwork::kHost);
  settings.variables = false;
  settings.priority.traffic_class = 106;
  const Profile profile = Make({Full("mlx5_0", 0x3b)}, settings);
  ASSERT_EQ(profile.env.size(), 1U);
  EXPECT_TRUE(profile.env.contains("FAIRLEAD_HCAS_RDMA_HCA"));
}

Hca Infiniband(const std::string& name) {
  Hca hca = RoceHca(name, {HcaPort()});
  hca.protocol = RdmaProtocol::kInfiniband;
  hca.ports[0].link_layer = LinkLayer::kInfiniband;
  hca.ports[0].state = PortState::kActive;
  return hca;
}

TEST(Profile, OfInfinibandHasAServiceLevelAndNoGid) {
  ProfileSettings settings = Settings(PodNetwork::kHost);
  settings.priority = {.traffic_class = 106, .service_level = 3, .control_traffic_class = 192};
  const Profile profile = Make({Infiniband("mlx5_0")}, settings);
  EXPECT_EQ(profile.env.at("NCCL_IB_SL"), "3");
  for (const char* key :
       {"NCCL_IB_GID_INDEX", "UCX_IB_GID_INDEX", "NCCL_IB_TC", "NCCL_IB_FIFO_TC",
        "UCX_IB_TRAFFIC_CLASS", "NCCL_IB_ADDR_FAMILY", "NCCL_IB_ROCE_VERSION_NUM"}) {
    EXPECT_FALSE(profile.env.contains(key)) << key;
  }
  EXPECT_TRUE(profile.warnings.empty());
}

TEST(Profile, OfBothLinkTypesWarnsAndKeepsUcxsIndexAway) {
  const Profile profile =
      Make({Infiniband("mlx5_0"), Full("mlx5_1", 1)}, Settings(PodNetwork::kHost));
  EXPECT_EQ(profile.env.at("NCCL_IB_GID_INDEX"), "3");
  EXPECT_FALSE(profile.env.contains("UCX_IB_GID_INDEX"));
  ASSERT_EQ(profile.warnings.size(), 1U);
  EXPECT_NE(profile.warnings[0].find("linkTypes"), std::string::npos);
}

TEST(Profile, OfABondUsesTwoQueuePairs) {
  Hca bond = Full("mlx5_bond_0", 0x3b);
  bond.bonded = true;
  EXPECT_EQ(Make({bond, Full("mlx5_2", 1)}, Settings(PodNetwork::kHost))
                .env.at("NCCL_IB_QPS_PER_CONNECTION"),
            "2");
}

TEST(Profile, OfWhatNcclDoesNotSpeakWarns) {
  Hca efa = RoceHca("rdmap0s6", {HcaPort()});
  efa.protocol = RdmaProtocol::kEfa;
  Hca siw = RoceHca("siw0", {RocePort(kUsual)});
  siw.protocol = RdmaProtocol::kIwarp;
  const Profile profile = Make({efa, siw}, Settings(PodNetwork::kHost));
  EXPECT_EQ(profile.env.size(), 1U);
  EXPECT_EQ(profile.warnings.size(), 2U);
  // Beside one that it speaks, they are not in its list.
  EXPECT_EQ(Make({siw, Full("mlx5_0", 1)}, Settings(PodNetwork::kHost)).env.at("NCCL_IB_HCA"),
            "=mlx5_0:1");
}

TEST(Profile, ListsActivePortsOrAllOfADeadHca) {
  Hca hca = RoceHca("mlx5_0", {RocePort(kUsual), RocePort({})});
  hca.ports[1].state = PortState::kDown;
  EXPECT_EQ(Make({hca}, Settings(PodNetwork::kHost)).env.at("NCCL_IB_HCA"), "=mlx5_0:1");
  hca.ports[0].state = PortState::kDown;
  EXPECT_EQ(Make({hca}, Settings(PodNetwork::kHost)).env.at("NCCL_IB_HCA"), "=mlx5_0:1,mlx5_0:2");
}

TEST(Profile, ListsPortsOfThePoolsLinkTypeOnly) {
  Hca hca = RoceHca("mlx5_0", {RocePort(kUsual), HcaPort()});
  hca.ports[1].link_layer = LinkLayer::kInfiniband;
  hca.ports[1].state = PortState::kActive;
  ProfileSettings settings = Settings(PodNetwork::kHost);
  settings.select.link_types = {LinkLayer::kEthernet};
  EXPECT_EQ(Make({hca}, settings).env.at("NCCL_IB_HCA"), "=mlx5_0:1");
}

}  // namespace
}  // namespace fairlead::deviceplugin
