#include "deviceplugin/health/ailment.h"

#include <gmock/gmock.h>

namespace fairlead::deviceplugin {
namespace {

using testing::HasSubstr;

HcaPort Port(PortState state, PhysicalState physical, bool gid = true) {
  HcaPort port;
  port.link_layer = LinkLayer::kEthernet;
  port.state = state;
  port.physical_state = physical;
  port.gids.resize(1);
  port.ranked.resize(1);
  port.ranked[0].usable = gid;
  return port;
}

Hca Roce(std::vector<HcaPort> ports) {
  Hca hca;
  hca.name = "mlx5_0";
  hca.protocol = RdmaProtocol::kRoce;
  hca.ports = std::move(ports);
  for (std::uint32_t i = 0; i < hca.ports.size(); ++i) hca.ports[i].number = i + 1;
  return hca;
}

const HcaPort kWell = Port(PortState::kActive, PhysicalState::kLinkUp);
const HcaPort kDown = Port(PortState::kDown, PhysicalState::kDisabled);

std::string ReasonOf(const Hca& hca) {
  const auto ailment = AilmentOf(hca, {}, MonotonicTime{});
  return ailment ? std::string(ailment->reason) : "";
}

TEST(Ailment, IsOfThePortThatComesNearestToCarryingTraffic) {
  EXPECT_EQ(ReasonOf(Roce({})), "no_port");
  EXPECT_EQ(ReasonOf(Roce({kWell})), "");
  EXPECT_EQ(ReasonOf(Roce({kDown})), "link_down");
  EXPECT_EQ(ReasonOf(Roce({kDown, kWell})), "");
  EXPECT_EQ(ReasonOf(Roce({Port(PortState::kInit, PhysicalState::kLinkUp)})), "port_down");
  EXPECT_EQ(ReasonOf(Roce({Port(PortState::kActive, PhysicalState::kPolling)})), "link_down");
  EXPECT_EQ(ReasonOf(Roce({Port(PortState::kActive, PhysicalState::kLinkUp, false)})), "no_gid");
  EXPECT_EQ(ReasonOf(Roce({kDown, Port(PortState::kActive, PhysicalState::kLinkUp, false)})),
            "no_gid");
}

TEST(Ailment, TakesAMissingPhysicalStateForNoEvidence) {
  EXPECT_EQ(ReasonOf(Roce({Port(PortState::kActive, PhysicalState::kUnknown)})), "");
}

TEST(Ailment, WhatCannotBeReadIsNotCertain) {
  const HcaPort unread = Port(PortState::kNop, PhysicalState::kUnknown);
  HcaPort no_table = Port(PortState::kActive, PhysicalState::kLinkUp, false);
  no_table.gids.clear();
  no_table.ranked.clear();
  for (const Hca& hca : {Roce({unread}), Roce({no_table}), Roce({kDown, unread}),
                         Roce({Port(PortState::kActive, PhysicalState::kLinkUp, false), unread})}) {
    const auto ailment = AilmentOf(hca, {}, MonotonicTime{});
    ASSERT_TRUE(ailment);
    EXPECT_EQ(ailment->reason, "unreadable");
    EXPECT_FALSE(ailment->certain);
  }
  EXPECT_THAT(AilmentOf(Roce({kDown, unread}), {}, MonotonicTime{})->sentence,
              "the state of port 2 cannot be read");
  EXPECT_THAT(AilmentOf(Roce({no_table}), {}, MonotonicTime{})->sentence,
              "the GID table of port 1 cannot be read");
  EXPECT_EQ(CarriesTraffic(unread, RdmaProtocol::kRoce), std::nullopt);
}

TEST(Ailment, WhatIsKnownCountsThoughTheStateIsNot) {
  EXPECT_EQ(ReasonOf(Roce({Port(PortState::kNop, PhysicalState::kDisabled)})), "link_down");
  EXPECT_EQ(ReasonOf(Roce({Port(PortState::kNop, PhysicalState::kLinkUp, false)})), "no_gid");
  EXPECT_EQ(ReasonOf(Roce({Port(PortState::kNop, PhysicalState::kUnknown), kWell})), "");
  const NicVerdict verdict{.device = "mlx5_0", .bad = true};
  const auto ailment = AilmentOf(Roce({Port(PortState::kNop, PhysicalState::kLinkUp)}),
                                 {&verdict, 1}, MonotonicTime{});
  ASSERT_TRUE(ailment);
  EXPECT_EQ(ailment->reason, "probe_verdict");
}

TEST(Ailment, AsksForAGidOnRoceOnly) {
  for (const RdmaProtocol other :
       {RdmaProtocol::kInfiniband, RdmaProtocol::kEfa, RdmaProtocol::kIwarp}) {
    Hca hca = Roce({Port(PortState::kActive, PhysicalState::kLinkUp, false)});
    hca.protocol = other;
    EXPECT_EQ(ReasonOf(hca), "");
  }
}

TEST(Ailment, NamesThePortAndWhatWasRead) {
  const auto ailment = AilmentOf(Roce({kDown, kDown}), {}, MonotonicTime{});
  ASSERT_TRUE(ailment);
  EXPECT_THAT(ailment->sentence, HasSubstr("port 1"));
  EXPECT_THAT(ailment->sentence,
              HasSubstr(std::string(PhysicalStateName(PhysicalState::kDisabled))));
}

TEST(Ailment, FollowsAFreshVerdictOfTheProbeOnThisDeviceOnly) {
  const MonotonicTime now{Seconds(1000)};
  const auto with = [&](const std::string& device, bool bad, Nanoseconds age) {
    const NicVerdict verdict{
        .device = device, .bad = bad, .sentence = "3 of 3 peers lose 2 %", .at = now - age};
    return AilmentOf(Roce({kWell}), {&verdict, 1}, now);
  };
  ASSERT_TRUE(with("mlx5_0", true, Seconds(1)));
  EXPECT_EQ(with("mlx5_0", true, Seconds(1))->reason, "probe_verdict");
  EXPECT_THAT(with("mlx5_0", true, kNicVerdictLife)->sentence, HasSubstr("3 of 3 peers"));
  EXPECT_FALSE(with("mlx5_0", true, kNicVerdictLife + Nanoseconds(1)));
  EXPECT_FALSE(with("mlx5_0", false, Seconds(1)));
  EXPECT_FALSE(with("mlx5_1", true, Seconds(1)));
}

TEST(Ailment, OfOnePortLeavesADeviceWhoseOtherPortWorks) {
  const auto ails = [](std::uint32_t port, const Hca& hca) {
    const NicVerdict verdict{.device = "mlx5_0", .port = port, .bad = true};
    return AilmentOf(hca, {&verdict, 1}, MonotonicTime{}).has_value();
  };
  EXPECT_TRUE(ails(1, Roce({kWell})));
  EXPECT_TRUE(ails(2, Roce({kDown, kWell})));
  EXPECT_FALSE(ails(1, Roce({kWell, kWell})));
  EXPECT_FALSE(ails(2, Roce({kWell, kWell})));
  EXPECT_FALSE(ails(1, Roce({kDown, kWell})));
  EXPECT_TRUE(ails(0, Roce({kWell, kWell})));
}

}  // namespace
}  // namespace fairlead::deviceplugin
