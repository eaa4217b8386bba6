#include "deviceplugin/pool/rejection.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "deviceplugin/pool/glob.h"

namespace fairlead::deviceplugin {
namespace {

TEST(Glob, FitsTheWholeText) {
  const struct {
    std::string pattern;
    std::vector<std::string> fits;
    std::vector<std::string> differs;
  } kCases[] = {
      {"mlx5_0", {"mlx5_0"}, {"mlx5_01", "xmlx5_0", "mlx5_", "MLX5_0", ""}},
      {"mlx5_*", {"mlx5_0", "mlx5_", "mlx5_bond_0"}, {"mlx5", "amlx5_0"}},
      {"*_0", {"mlx5_0", "_0", "a_0_0"}, {"mlx5_1", "_00"}},
      {"ens?f0", {"ens1f0", "ensxf0"}, {"ensf0", "ens12f0"}},
      {"*", {"", "x"}, {}},
      {"?*", {"x", "xy"}, {""}},
      {"**a**b", {"ab", "xaxb", "aabb"}, {"ba", "a", "b", "abc"}},
      {"", {""}, {"x"}},
  };
  for (const auto& c : kCases) {
    for (const std::string& text : c.fits) {
      EXPECT_TRUE(MatchesGlob(c.pattern, text)) << c.pattern << " " << text;
    }
    for (const std::string& text : c.differs) {
      EXPECT_FALSE(MatchesGlob(c.pattern, text)) << c.pattern << " " << text;
    }
  }
}

TEST(Glob, EndsSoonWithManyStars) {
  std::string pattern;
  for (int i = 0; i < 30; ++i) pattern += "*a";
  EXPECT_FALSE(MatchesGlob(pattern + "b", std::string(64, 'a')));
}

Hca ConnectX() {
  Hca hca;
  hca.name = "mlx5_0";
  hca.driver = "mlx5_core";
  hca.protocol = RdmaProtocol::kRoce;
  hca.vendor = "15b3";
  hca.pci = PciAddress{0, 0x3b, 0, 0};
  hca.function = PciFunction::kPhysical;
  hca.uverbs = "uverbs0";
  HcaPort port;
  port.link_layer = LinkLayer::kEthernet;
  port.netdevs = {"ens1f0np0", "bond0"};
  hca.ports = {port};
  return hca;
}

PoolConfig Selecting(HcaSelector select) {
  PoolConfig pool;
  pool.select = std::move(select);
  return pool;
}

TEST(RejectedBy, NothingWhereEverySelectorFits) {
  HcaSelector select;
  select.vendors = {"8086", "15b3"};
  select.drivers = {"mlx5_core"};
  select.devices = {"rxe*", "mlx5_*"};
  select.interfaces = {"bond*"};
  select.pci_addresses = {"0000:3b:00.0"};
  select.link_types = {LinkLayer::kEthernet};
  select.functions = {FunctionChoice::kVirtual, FunctionChoice::kPhysical};
  EXPECT_EQ(RejectedBy(Selecting(select), ConnectX()), std::nullopt);
  EXPECT_EQ(RejectedBy(PoolConfig(), ConnectX()), std::nullopt);
}

TEST(RejectedBy, TheSelectorThatDoesNotFit) {
  HcaSelector vendors, drivers, devices, interfaces, pci, links, functions;
  vendors.vendors = {"8086", "14e4"};
  drivers.drivers = {"mlx5_ib"};
  devices.devices = {"rxe*"};
  interfaces.interfaces = {"eth?"};
  pci.pci_addresses = {"0000:3b:00.1"};
  links.link_types = {LinkLayer::kInfiniband};
  functions.functions = {FunctionChoice::kVirtual, FunctionChoice::kNone};
  const struct {
    HcaSelector select;
    RejectReason reason;
    std::string word;
    std::string sentence;
  } kCases[] = {
      {vendors, RejectReason::kVendor, "vendor",
       "Pool rdma/hca wants as PCI vendor 8086, 14e4; mlx5_0 has 15b3."},
      {drivers, RejectReason::kDriver, "driver",
       "Pool rdma/hca wants as driver mlx5_ib; mlx5_0 has mlx5_core."},
      {devices, RejectReason::kDevice, "device",
       "Pool rdma/hca wants as device name rxe*; mlx5_0 has another."},
      {interfaces, RejectReason::kInterface, "interface",
       "Pool rdma/hca wants as network interface eth?; mlx5_0 has ens1f0np0, bond0."},
      {pci, RejectReason::kPciAddress, "pci_address",
       "Pool rdma/hca wants as PCI address 0000:3b:00.1; mlx5_0 has 0000:3b:00.0."},
      {links, RejectReason::kLinkType, "link_type",
       "Pool rdma/hca wants as link type infiniband; mlx5_0 has ethernet."},
      {functions, RejectReason::kFunction, "function",
       "Pool rdma/hca wants as PCI function vf, none; mlx5_0 has pf."},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(RejectedBy(Selecting(c.select), ConnectX()),
              (Rejection{"rdma/hca", c.reason, c.sentence}));
    EXPECT_EQ(RejectReasonName(c.reason), c.word);
  }
}

TEST(RejectedBy, TheFirstOfSeveral) {
  HcaSelector select;
  select.drivers = {"irdma"};
  select.functions = {FunctionChoice::kNone};
  EXPECT_EQ(RejectedBy(Selecting(select), ConnectX())->reason, RejectReason::kDriver);
}

TEST(RejectedBy, SaysWhatIsNotThere) {
  Hca rxe = ConnectX();
  rxe.name = "rxe0";
  rxe.vendor.clear();
  rxe.pci.reset();
  rxe.ports[0].netdevs.clear();
  HcaSelector select;
  select.interfaces = {"eth0"};
  EXPECT_EQ(RejectedBy(Selecting(select), rxe)->sentence,
            "Pool rdma/hca wants as network interface eth0; rxe0 has none.");
}

TEST(Unusable, NamesTheMissingNode) {
  EXPECT_EQ(Unusable(ConnectX(), false), std::nullopt);
  Hca hca = ConnectX();
  hca.uverbs.clear();
  EXPECT_EQ(Unusable(hca, true)->reason, RejectReason::kNoUverbs);
  hca = ConnectX();
  hca.ports.clear();
  EXPECT_EQ(Unusable(hca, true)->reason, RejectReason::kNoPort);
  hca = ConnectX();
  hca.protocol = RdmaProtocol::kIwarp;
  EXPECT_EQ(Unusable(hca, true), std::nullopt);
  EXPECT_EQ(Unusable(hca, false)->reason, RejectReason::kNoRdmaCm);
}

TEST(TakesPort, OnlyThoseOfTheLinkType) {
  HcaPort ethernet, infiniband, none;
  ethernet.link_layer = LinkLayer::kEthernet;
  infiniband.link_layer = LinkLayer::kInfiniband;
  HcaSelector select;
  EXPECT_TRUE(TakesPort(select, none));
  select.link_types = {LinkLayer::kInfiniband};
  EXPECT_TRUE(TakesPort(select, infiniband));
  EXPECT_FALSE(TakesPort(select, ethernet));
  EXPECT_FALSE(TakesPort(select, none));
}

}  // namespace
}  // namespace fairlead::deviceplugin
