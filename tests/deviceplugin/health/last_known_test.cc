#include "deviceplugin/health/last_known.h"

#include <gtest/gtest.h>

namespace fairlead::deviceplugin {
namespace {

Hca Device(std::vector<std::uint32_t> ports) {
  Hca hca;
  hca.name = "mlx5_0";
  hca.node_guid = "0c42:a103:0055:0200";
  hca.protocol = ports.empty() ? RdmaProtocol::kUnknown : RdmaProtocol::kRoce;
  for (const std::uint32_t number : ports) {
    HcaPort port;
    port.number = number;
    port.state = PortState::kActive;
    port.physical_state = PhysicalState::kLinkUp;
    port.gid_table_length = 256;
    hca.ports.push_back(port);
  }
  return hca;
}

std::vector<std::pair<std::uint32_t, PortState>> PortsOf(const Hca& hca) {
  std::vector<std::pair<std::uint32_t, PortState>> out;
  for (const HcaPort& port : hca.ports) out.emplace_back(port.number, port.state);
  return out;
}

using States = std::vector<std::pair<std::uint32_t, PortState>>;

TEST(PortsAsKnown, APortThatCannotBeReadIsStillThereInAnUnknownState) {
  const Hca none = WithPortsAsKnown(Device({}), Device({1, 2}));
  EXPECT_EQ(PortsOf(none), (States{{1, PortState::kNop}, {2, PortState::kNop}}));
  EXPECT_EQ(none.protocol, RdmaProtocol::kRoce);
  EXPECT_EQ(none.ports[0].physical_state, PhysicalState::kUnknown);
  EXPECT_EQ(none.ports[0].gid_table_length, 256U);
  EXPECT_EQ(PortsOf(WithPortsAsKnown(Device({2}), Device({1, 2}))),
            (States{{1, PortState::kNop}, {2, PortState::kActive}}));
  EXPECT_EQ(PortsOf(WithPortsAsKnown(Device({1, 2}), Device({1}))),
            (States{{1, PortState::kActive}, {2, PortState::kActive}}));
}

TEST(PortsAsKnown, AnotherDeviceHasItsOwn) {
  Hca other = Device({});
  other.node_guid = "0c42:a103:0055:0300";
  EXPECT_TRUE(WithPortsAsKnown(other, Device({1})).ports.empty());
  other = Device({});
  other.name = "mlx5_1";
  EXPECT_TRUE(WithPortsAsKnown(other, Device({1})).ports.empty());
  other = Device({});
  other.node_guid.clear();
  EXPECT_EQ(WithPortsAsKnown(other, Device({1})).ports.size(), 1U)
      << "the GUID cannot be read either";
}

}  // namespace
}  // namespace fairlead::deviceplugin
