#include "deviceplugin/discovery/attribute_text.h"

#include <gtest/gtest.h>

namespace fairlead::deviceplugin {
namespace {

TEST(AttributeText, ReadsStates) {
  EXPECT_EQ(ParsePortState("4: ACTIVE"), PortState::kActive);
  EXPECT_EQ(ParsePortState("0: NOP"), PortState::kNop);
  EXPECT_EQ(ParsePortState("5: ACTIVE_DEFER"), PortState::kActiveDefer);
  for (const std::string_view text : {"", "4", ": ACTIVE", "6: UNKNOWN", "-1: DOWN", "ACTIVE"}) {
    EXPECT_FALSE(ParsePortState(text)) << text;
  }
  EXPECT_EQ(ParsePhysicalState("5: LinkUp"), PhysicalState::kLinkUp);
  EXPECT_EQ(ParsePhysicalState("7: Phy Test"), PhysicalState::kPhyTest);
  EXPECT_EQ(ParsePhysicalState("0: <unknown>"), PhysicalState::kUnknown);
  EXPECT_EQ(ParsePhysicalState("255: <unknown>"), PhysicalState::kUnknown);
  EXPECT_FALSE(ParsePhysicalState("LinkUp"));
}

TEST(AttributeText, ReadsLinkLayers) {
  EXPECT_EQ(ParseLinkLayer("Ethernet"), LinkLayer::kEthernet);
  EXPECT_EQ(ParseLinkLayer("InfiniBand"), LinkLayer::kInfiniband);
  EXPECT_EQ(ParseLinkLayer("Unknown"), LinkLayer::kUnspecified);
  EXPECT_FALSE(ParseLinkLayer("ethernet"));
}

TEST(AttributeText, ReadsRates) {
  const struct {
    std::string_view text;
    double gigabits;
  } kCases[] = {{"100 Gb/sec (4X EDR)", 100}, {"2.5 Gb/sec (1X SDR)", 2.5},
                {"800 Gb/sec (8X NDR)", 800}, {"40 QDR Gb/sec (4X QDR)", 40},
                {"0 Gb/sec (0X)", 0},         {"4000000000 Gb/sec (1X)", 4e9}};
  for (const auto& c : kCases) {
    ASSERT_TRUE(ParseRate(c.text)) << c.text;
    EXPECT_EQ(static_cast<double>(*ParseRate(c.text)), c.gigabits * 1e9) << c.text;
  }
  for (const std::string_view text : {"", "100", "100 Mb/sec", "fast Gb/sec", "-1 Gb/sec",
                                      "1.55 Gb/sec", "1. Gb/sec", "5000000000 Gb/sec"}) {
    EXPECT_FALSE(ParseRate(text)) << text;
  }
}

TEST(AttributeText, ReadsNumbers) {
  EXPECT_EQ(ParseNumber("256"), 256U);
  EXPECT_EQ(ParseNumber("0x1b"), 27U);
  EXPECT_EQ(ParseNumber("4294967295"), 4294967295U);
  for (const std::string_view text : {"", "0x", "-1", "1 ", "4294967296", "1b"}) {
    EXPECT_FALSE(ParseNumber(text)) << text;
  }
  EXPECT_EQ(ParseNumaNode("-1"), -1);
  EXPECT_EQ(ParseNumaNode("7"), 7);
  EXPECT_EQ(ParseNumaNode("1023"), 1023);
  for (const std::string_view text : {"none", "1024", "99999", "2147483648", "0x1", "1 2"}) {
    EXPECT_FALSE(ParseNumaNode(text)) << text;
  }
  EXPECT_EQ(ParseEntryNumber("0"), 0U);
  EXPECT_EQ(ParseEntryNumber("4294967295"), 4294967295U);
  for (const std::string_view text : {"", "01", "0x1", "+1", "-1", " 1", "1x", "4294967296"}) {
    EXPECT_FALSE(ParseEntryNumber(text)) << text;
  }
  EXPECT_EQ(ParseNodeType("4: RNIC"), "4: RNIC");
  EXPECT_FALSE(ParseNodeType("RNIC"));
  EXPECT_EQ(ParseNodeGuid("b8ce:f603:00a1:b2c4"), "b8ce:f603:00a1:b2c4");
  for (const std::string_view text : {"", "b8ce:f603:00a1", "b8ce:f603:00a1:b2cg",
                                      "b8ce:f603-00a1:b2c4", "b8ce:f603:00a1:b2c4 "}) {
    EXPECT_FALSE(ParseNodeGuid(text)) << text;
  }
  EXPECT_EQ(ParsePciId("0x15b3"), "15b3");
  for (const std::string_view text : {"15b3", "0x15b", "0x15b34", "0x15bg", ""}) {
    EXPECT_FALSE(ParsePciId(text)) << text;
  }
}

}  // namespace
}  // namespace fairlead::deviceplugin
