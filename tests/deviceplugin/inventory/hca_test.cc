#include "deviceplugin/inventory/hca.h"

#include <gtest/gtest.h>

#include <set>

namespace fairlead::deviceplugin {
namespace {

TEST(Hca, ClassifiesByDriverAndNodeType) {
  const struct {
    std::string_view driver;
    std::string_view node_type;
    LinkLayer layer;
    RdmaProtocol expected;
  } kCases[] = {
      {"mlx5_core", "1: CA", LinkLayer::kEthernet, RdmaProtocol::kRoce},
      {"mlx5_core", "1: CA", LinkLayer::kInfiniband, RdmaProtocol::kInfiniband},
      {"bnxt_en", "1: CA", LinkLayer::kEthernet, RdmaProtocol::kRoce},
      {"ice", "1: CA", LinkLayer::kEthernet, RdmaProtocol::kRoce},
      {"ice", "4: RNIC", LinkLayer::kEthernet, RdmaProtocol::kIwarp},
      {"rxe", "1: CA", LinkLayer::kEthernet, RdmaProtocol::kRoce},
      {"siw", "4: RNIC", LinkLayer::kEthernet, RdmaProtocol::kIwarp},
      {"siw", "", LinkLayer::kEthernet, RdmaProtocol::kIwarp},
      {"efa", "7: unspecified", LinkLayer::kUnspecified, RdmaProtocol::kEfa},
      {"efa", "1: CA", LinkLayer::kEthernet, RdmaProtocol::kEfa},
      {"enic", "6: usNIC UDP", LinkLayer::kEthernet, RdmaProtocol::kUnknown},
      {"mlx5_core", "1: CA", LinkLayer::kUnspecified, RdmaProtocol::kUnknown},
      {"mlx5_core", "", LinkLayer::kEthernet, RdmaProtocol::kRoce},
      {"", "", LinkLayer::kUnspecified, RdmaProtocol::kUnknown},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(ClassifyProtocol(c.driver, c.node_type, c.layer), c.expected)
        << c.driver << ' ' << c.node_type;
  }
}

TEST(Hca, HasAWordForEverything) {
  std::set<std::string_view> words;
  for (const auto protocol : {RdmaProtocol::kUnknown, RdmaProtocol::kInfiniband,
                              RdmaProtocol::kRoce, RdmaProtocol::kIwarp, RdmaProtocol::kEfa}) {
    words.insert(ProtocolName(protocol));
  }
  EXPECT_EQ(words, (std::set<std::string_view>{"unknown", "infiniband", "roce", "iwarp", "efa"}));
  words.clear();
  for (const auto function : {PciFunction::kNone, PciFunction::kPhysical, PciFunction::kVirtual,
                              PciFunction::kSubfunction}) {
    words.insert(FunctionName(function));
  }
  EXPECT_EQ(words, (std::set<std::string_view>{"none", "pf", "vf", "sf"}));
  words.clear();
  for (int state = 0; state <= static_cast<int>(PhysicalState::kPhyTest); ++state) {
    words.insert(PhysicalStateName(static_cast<PhysicalState>(state)));
  }
  EXPECT_EQ(words.size(), 8U);
  EXPECT_TRUE(words.contains("link_up"));
}

}  // namespace
}  // namespace fairlead::deviceplugin
