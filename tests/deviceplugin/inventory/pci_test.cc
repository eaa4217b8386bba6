#include "deviceplugin/inventory/pci.h"

#include <gtest/gtest.h>

#include <random>

#include "deviceplugin/inventory/node_inventory.h"

namespace fairlead::deviceplugin {
namespace {

TEST(Pci, ReadsAddresses) {
  EXPECT_EQ(ParsePci("0000:3b:00.1"), (PciAddress{0, 0x3b, 0, 1}));
  EXPECT_EQ(ParsePci("00000000:3B:1F.7"), (PciAddress{0, 0x3b, 0x1f, 7}));
  EXPECT_EQ(ParsePci("10000:01:00.0"), (PciAddress{0x10000, 1, 0, 0}));
  for (const std::string_view text :
       {"", "3b:00.0", "000:3b:00.0", "000000000:3b:00.0", "0000:3b:00", "0000:3b:00.8",
        "0000:3b:20.0", "0000:3g:00.0", "0000:3b:00.0 ", "0000-3b-00-0", "0000:3b:00.00",
        "0x00:3b:00.0", "+000:3b:00.0", "0000:-1:00.0", "pci0000:3a"}) {
    EXPECT_FALSE(ParsePci(text)) << text;
  }
}

TEST(Pci, GoesRound) {
  std::mt19937 engine(1);
  const auto random = [&] { return static_cast<std::uint32_t>(engine()); };
  for (int i = 0; i < 500; ++i) {
    const PciAddress address{
        random() % (i % 2 == 0 ? 0x10000U : 0xffffffffU), static_cast<std::uint8_t>(random()),
        static_cast<std::uint8_t>(random() % 32), static_cast<std::uint8_t>(random() % 8)};
    EXPECT_EQ(ParsePci(FormatPci(address)), address) << FormatPci(address);
  }
}

PciPath Path(std::string_view text) { return ParsePciPath(text).value(); }

TEST(Pci, ReadsPaths) {
  const PciPath path = Path("/sys/devices/pci0000:3a/0000:3a:00.0/0000:3b:00.0");
  EXPECT_EQ(path.host_bridge, "pci0000:3a");
  EXPECT_EQ(path.hops, (std::vector<PciAddress>{{0, 0x3a, 0, 0}, {0, 0x3b, 0, 0}}));
  // Below Intel's VMD and other platforms' own directories.
  EXPECT_EQ(Path("/sys/devices/pci0000:64/0000:64:00.5/pci10000:00/10000:00:02.0/10000:01:00.0")
                .host_bridge,
            "pci10000:00");
  EXPECT_EQ(Path("/sys/devices/platform/40000000.pcie/pci0000:00/0000:00:01.0").hops.size(), 1U);
  for (const std::string_view text :
       {"", "/sys/devices/pci0000:3a", "/sys/devices/virtual/net/eth0",
        "/sys/devices/pci0000:3a/0000:3b:00.0/mlx5_core.sf.4", "/sys/devices/0000:3b:00.0",
        "/sys/devices/pci0000:3a/0000:3b:00.0/net/0000:3c:00.0"}) {
    EXPECT_FALSE(ParsePciPath(text)) << text;
  }
}

TEST(Pci, MeasuresDistance) {
  const std::string bridge = "/sys/devices/pci0000:15/0000:15:01.0";
  const std::string upstream = bridge + "/0000:16:00.0";
  const struct {
    const char* what;
    PciPath a;
    int numa_a;
    PciPath b;
    int numa_b;
    PciDistance expected;
  } kCases[] = {
      {"itself", Path(bridge), 0, Path(bridge), 0, PciDistance::kSame},
      {"two ports of a card", Path(bridge + "/0000:16:00.0"), 0, Path(bridge + "/0000:16:00.1"), 0,
       PciDistance::kSame},
      {"two devices below a port", Path(bridge + "/0000:16:00.0"), 0,
       Path(bridge + "/0000:16:01.0"), 0, PciDistance::kSwitch},
      {"one switch", Path(upstream + "/0000:17:00.0/0000:18:00.0"), 0,
       Path(upstream + "/0000:17:01.0/0000:19:00.0"), 0, PciDistance::kSwitch},
      {"two switches", Path(upstream + "/0000:17:00.0/0000:18:00.0/0000:19:00.0/0000:1a:00.0"), 0,
       Path(upstream + "/0000:17:01.0/0000:1b:00.0"), 0, PciDistance::kSwitches},
      {"two root ports", Path("/sys/devices/pci0000:15/0000:15:01.0/0000:16:00.0"), 0,
       Path("/sys/devices/pci0000:15/0000:15:02.0/0000:17:00.0"), 0, PciDistance::kBridge},
      {"on the root bus", Path("/sys/devices/pci0000:00/0000:00:05.0"), -1,
       Path("/sys/devices/pci0000:00/0000:00:06.0"), -1, PciDistance::kBridge},
      {"two bridges of a socket", Path("/sys/devices/pci0000:15/0000:15:01.0"), 1,
       Path("/sys/devices/pci0000:26/0000:26:01.0"), 1, PciDistance::kNode},
      {"two sockets", Path("/sys/devices/pci0000:15/0000:15:01.0"), 0,
       Path("/sys/devices/pci0000:26/0000:26:01.0"), 1, PciDistance::kSystem},
      {"unknown nodes", Path("/sys/devices/pci0000:15/0000:15:01.0"), -1,
       Path("/sys/devices/pci0000:26/0000:26:01.0"), -1, PciDistance::kSystem},
      {"no path", PciPath{}, 0, PciPath{}, 0, PciDistance::kSystem},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(DistanceBetween(c.a, c.numa_a, c.b, c.numa_b), c.expected) << c.what;
    EXPECT_EQ(DistanceBetween(c.b, c.numa_b, c.a, c.numa_a), c.expected) << c.what;
  }
}

TEST(Pci, NamesDistancesAsNcclDoes) {
  std::string all;
  for (const PciDistance distance :
       {PciDistance::kSame, PciDistance::kSwitch, PciDistance::kSwitches, PciDistance::kBridge,
        PciDistance::kNode, PciDistance::kSystem}) {
    all += std::string(PciDistanceName(distance)) + " ";
  }
  EXPECT_EQ(all, "LOC PIX PXB PHB NODE SYS ");
}

TEST(NodeInventory, PutsWhatIsNotOnTheBusFarAway) {
  Hca hca;
  Gpu gpu;
  gpu.pci_path = Path("/sys/devices/pci0000:15/0000:15:01.0");
  EXPECT_EQ(DistanceBetween(hca, gpu), PciDistance::kSystem);
  hca.pci_path = Path("/sys/devices/pci0000:15/0000:15:02.0");
  EXPECT_EQ(DistanceBetween(hca, gpu), PciDistance::kBridge);
}

}  // namespace
}  // namespace fairlead::deviceplugin
