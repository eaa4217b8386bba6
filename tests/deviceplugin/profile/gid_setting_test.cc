#include "deviceplugin/profile/gid_setting.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <string>

#include "tests/deviceplugin/profile/port_tables.h"

namespace fairlead::deviceplugin {
namespace {

const Table kUsual{"1 fe80::1", "2 fe80::1", "1 10.0.0.1", "2 10.0.0.1"};
const Table kBare{"1 10.0.0.2", "2 10.0.0.2"};
const Table kTwoAddresses{"1 fe80::1", "2 10.9.0.1", "2 10.0.0.3"};
const Table kIpv6{"1 fe80::1", "2 fe80::1", "1 fd00::1", "2 fd00::1"};
const Table kLinkLocal{"1 fe80::1", "2 fe80::1"};

std::vector<GidPrefix> Prefixes(const std::vector<std::string>& texts) {
  std::vector<GidPrefix> out;
  for (const std::string& text : texts) out.push_back(ParseGidPrefix(text).value());
  return out;
}

// HCAs with one port each, and the ports as a container would get them.
struct Node {
  explicit Node(const std::vector<Table>& tables, const GidPolicy& policy = {}) {
    std::vector<const Hca*> pointers;
    for (const Table& table : tables) {
      hcas.push_back(RoceHca("mlx5_" + std::to_string(hcas.size()), {RocePort(table, policy)}));
      pointers.push_back(&hcas.back());
    }
    ports = PortsOf(pointers, {});
  }
  std::deque<Hca> hcas;
  std::vector<AllocatedPort> ports;
};

TEST(HostGidSetting, IsTheIndexWhereAllAgree) {
  const Node node({kUsual, kUsual, kIpv6});
  const GidSetting setting = HostGidSetting(node.ports, {});
  EXPECT_EQ(setting.index, 3U);
  EXPECT_FALSE(setting.family || setting.range || setting.version);
  EXPECT_TRUE(setting.warnings.empty());
}

TEST(HostGidSetting, IsThePolicyWhereTheIndicesDiffer) {
  const GidSetting setting = HostGidSetting(Node({kUsual, kBare}).ports, {});
  EXPECT_FALSE(setting.index);
  EXPECT_EQ(setting.family, AddressFamily::kIpv4);
  EXPECT_EQ(setting.version, GidType::kRoceV2);
  EXPECT_FALSE(setting.range);
  EXPECT_TRUE(setting.warnings.empty());
}

TEST(HostGidSetting, NamesTheAllowedSubnetWhereOneIsNeeded) {
  GidPolicy policy;
  policy.allow = Prefixes({"192.168.0.0/16", "10.0.0.0/16"});
  const GidSetting setting =
      HostGidSetting(Node({kUsual, kTwoAddresses}, policy).ports, policy.allow);
  EXPECT_EQ(setting.range, ParseGidPrefix("10.0.0.0/16").value());
}

TEST(HostGidSetting, FindsTheSharedPrefixWhereADenialNeedsOne) {
  GidPolicy policy;
  policy.deny = Prefixes({"10.9.0.0/16"});
  const GidSetting setting = HostGidSetting(Node({kUsual, kTwoAddresses}, policy).ports, {});
  ASSERT_TRUE(setting.range);
  EXPECT_EQ(HumanGid(setting.range->gid), "10.0.0.1");
  EXPECT_EQ(setting.range->length, 96U + 30U);  // 10.0.0.1 and 10.0.0.3
}

TEST(HostGidSetting, IsNothingWhereNoneIsRight) {
  const Table six_at_one{"1 fe80::1", "2 fd00::1"};
  const GidSetting setting = HostGidSetting(Node({kUsual, six_at_one}).ports, {});
  EXPECT_FALSE(setting.index || setting.family || setting.range || setting.version);
  ASSERT_EQ(setting.warnings.size(), 1U);
  EXPECT_EQ(setting.warnings[0],
            "No setting makes NCCL take the best GID of each HCA: mlx5_0:1 3 (10.0.0.1), mlx5_1:1 "
            "1 (fd00::1). Give all of them addresses of one family in the same order, or put them "
            "into pools of their own.");
}

TEST(HostGidSetting, TrustsNoIndexOfAPortWithoutGid) {
  Node node({kUsual, {}});
  node.hcas[1].ports[0].gid_table_length = 256;
  const GidSetting setting = HostGidSetting(node.ports, {});
  EXPECT_FALSE(setting.index);
  EXPECT_EQ(setting.family, AddressFamily::kIpv4);
  ASSERT_EQ(setting.warnings.size(), 1U);
  EXPECT_TRUE(setting.warnings[0].starts_with("mlx5_1:1 has no usable GID")) << setting.warnings[0];
}

TEST(HostGidSetting, AdvisesNoAddressWhereTheTableCannotBeRead) {
  const Node node({kUsual, {}});
  const GidSetting setting = HostGidSetting(node.ports, {});
  ASSERT_EQ(setting.warnings.size(), 1U);
  EXPECT_EQ(setting.warnings[0],
            "mlx5_1:1 has a GID table that cannot be read; its problems say why.");
}

TEST(HostGidSetting, WarnsOfLinkLocalAddresses) {
  const GidSetting setting = HostGidSetting(Node({kLinkLocal}).ports, {});
  EXPECT_EQ(setting.index, 1U);
  ASSERT_EQ(setting.warnings.size(), 1U);
  EXPECT_TRUE(setting.warnings[0].starts_with("mlx5_0:1, GID 1: RoCE v2 over link-local IPv6."))
      << setting.warnings[0];
}

TEST(HostGidSetting, LeavesInfinibandAlone) {
  Node node({kUsual});
  node.hcas[0].protocol = RdmaProtocol::kInfiniband;
  node.hcas[0].ports[0].link_layer = LinkLayer::kInfiniband;
  const GidSetting setting = HostGidSetting(node.ports, {});
  EXPECT_FALSE(setting.index || setting.family || setting.version);
  EXPECT_TRUE(setting.warnings.empty());
}

// Whatever is set, a second reading of NCCL's choice ends at the best GID of every port; where
// nothing is, there is a warning.
TEST(HostGidSetting, IsRightOrAWarning) {
  const Table entries{"",           "1 fe80::1",  "2 fe80::1", "1 10.0.0.1",
                      "2 10.0.0.1", "2 10.1.0.1", "2 fd00::1"};
  std::mt19937 random(11);
  std::uniform_int_distribution<std::size_t> entry(0, entries.size() - 1);
  int by_index = 0, by_policy = 0, by_nothing = 0;
  for (int round = 0; round < 3000; ++round) {
    std::vector<Table> tables(2);
    for (Table& table : tables) {
      for (int i = 0; i < 5; ++i) table.push_back(entries[entry(random)]);
    }
    const Node node(tables);
    const GidSetting setting = HostGidSetting(node.ports, {});
    MirrorSettings settings;
    if (setting.family == AddressFamily::kIpv6) settings.family = "AF_INET6";
    if (setting.version == GidType::kRoceV1) settings.version = "1";
    if (setting.range) {
      const bool v6 = setting.family == AddressFamily::kIpv6;
      settings.range = HumanGid(setting.range->gid) + "/" +
                       std::to_string(setting.range->length - (v6 ? 0 : 96));
    }
    const bool nothing = !setting.index && !setting.family;
    by_index += setting.index ? 1 : 0;
    by_policy += setting.family ? 1 : 0;
    by_nothing += nothing ? 1 : 0;
    ASSERT_TRUE(!nothing || !setting.warnings.empty());
    for (std::size_t i = 0; i < tables.size() && !nothing; ++i) {
      const GidEntry* best = BestGid(*node.ports[i].port);
      if (best == nullptr) continue;
      ASSERT_EQ(setting.index ? *setting.index : MirrorOfNccl(MirrorTable(tables[i]), settings),
                best->index)
          << testing::PrintToString(tables);
    }
  }
  // All three happen.
  EXPECT_GT(by_index, 100);
  EXPECT_GT(by_policy, 100);
  EXPECT_GT(by_nothing, 100);
}

TEST(PodGidSetting, NeverTellsAnIndex) {
  const GidSetting setting = PodGidSetting(Node({kUsual, kUsual}).ports, {}, {});
  EXPECT_FALSE(setting.index || setting.family || setting.range);
  EXPECT_EQ(setting.version, GidType::kRoceV2);
  EXPECT_TRUE(setting.warnings.empty());
}

TEST(PodGidSetting, FollowsTheAllowedSubnets) {
  const Node node({kLinkLocal});
  const struct {
    std::vector<std::string> allow;
    std::optional<AddressFamily> family;
    bool range;
    std::size_t warnings;
  } kCases[] = {
      {{"10.0.0.0/8"}, AddressFamily::kIpv4, true, 0},
      {{"fd00::/8"}, AddressFamily::kIpv6, true, 0},
      {{"10.0.0.0/8", "172.16.0.0/12"}, AddressFamily::kIpv4, false, 1},
      {{"10.0.0.0/8", "fd00::/8"}, std::nullopt, false, 1},
      {{"::/0"}, std::nullopt, false, 0},
  };
  for (const auto& c : kCases) {
    const GidSetting setting = PodGidSetting(node.ports, Prefixes(c.allow), {});
    EXPECT_EQ(setting.family, c.family) << c.allow[0];
    EXPECT_EQ(setting.range.has_value(), c.range) << c.allow[0];
    EXPECT_EQ(setting.warnings.size(), c.warnings) << c.allow[0];
  }
}

TEST(PodGidSetting, SaysWhatItCannotTell) {
  EXPECT_EQ(PodGidSetting(Node({kIpv6}).ports, {}, {}).warnings.size(), 1U);
  EXPECT_EQ(PodGidSetting(Node({kUsual}).ports, {}, Prefixes({"10.9.0.0/16"})).warnings.size(), 1U);
  EXPECT_TRUE(
      PodGidSetting(Node({kUsual}).ports, Prefixes({"10.0.0.0/16"}), Prefixes({"10.9.0.0/16"}))
          .warnings.empty());
  EXPECT_FALSE(PodGidSetting(Node({{"1 10.0.0.1"}}).ports, {}, {}).version);
}

}  // namespace
}  // namespace fairlead::deviceplugin
