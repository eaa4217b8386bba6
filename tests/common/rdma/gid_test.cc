#include "common/rdma/gid.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "common/rdma/gid_rank.h"
#include "common/rdma/port.h"

namespace fairlead {
namespace {

TEST(Gid, ReadsBothSpellings) {
  const Gid mapped = ParseGid("10.0.0.1").value();
  EXPECT_EQ(FormatGid(mapped), "0000:0000:0000:0000:0000:ffff:0a00:0001");
  EXPECT_EQ(ParseGid("::ffff:10.0.0.1"), mapped);
  EXPECT_EQ(ParseGid(FormatGid(mapped)), mapped);
  EXPECT_EQ(HumanGid(mapped), "10.0.0.1");
  EXPECT_EQ(HumanGid(ParseGid("fe80:0000:0000:0000:5054:00ff:fe12:3456").value()),
            "fe80::5054:ff:fe12:3456");
  EXPECT_EQ(HumanGid(Gid()), "::");
}

TEST(Gid, RefusesEverythingElse) {
  for (const std::string_view text :
       {"", "fe80", "10.0.0", "10.0.0.256", "10.0.0.1/8", "::1%eth0", " ::1", ":::", "host",
        "0000:0000:0000:0000:0000:ffff:0a00:0001:0", "\xff"}) {
    EXPECT_FALSE(ParseGid(text)) << text;
  }
  EXPECT_FALSE(ParseGid(std::string_view("::1\0x", 5)));
}

TEST(Gid, GoesRoundForAnyBits) {
  std::mt19937 random(1);
  for (int i = 0; i < 500; ++i) {
    Gid gid;
    for (auto& byte : gid.bytes) byte = static_cast<std::uint8_t>(random() % 4 == 0 ? random() : 0);
    EXPECT_EQ(ParseGid(FormatGid(gid)), gid);
    EXPECT_EQ(ParseGid(HumanGid(gid)), gid) << HumanGid(gid);
  }
}

TEST(Gid, TellsScopes) {
  const struct {
    std::string_view text;
    GidScope scope;
  } kCases[] = {{"::", GidScope::kZero},
                {"fe80::1", GidScope::kLinkLocal},
                {"febf::1", GidScope::kLinkLocal},
                {"fec0::1", GidScope::kGlobal},
                {"10.0.0.1", GidScope::kIpv4Mapped},
                {"0.0.0.0", GidScope::kIpv4Mapped},
                {"fc00::1", GidScope::kUniqueLocal},
                {"fdff::1", GidScope::kUniqueLocal},
                {"2001:db8::1", GidScope::kGlobal},
                {"::1", GidScope::kGlobal}};
  for (const auto& c : kCases) EXPECT_EQ(ScopeOf(ParseGid(c.text).value()), c.scope) << c.text;
}

TEST(GidPrefix, CoversWhatSharesItsBits) {
  const struct {
    std::string_view prefix;
    std::string_view gid;
    bool covered;
  } kCases[] = {{"10.0.0.0/8", "10.255.0.1", true},
                {"10.0.0.0/8", "11.0.0.1", false},
                {"10.1.0.0/15", "10.0.0.1", true},
                {"10.2.0.0/15", "10.0.0.1", false},
                {"0.0.0.0/0", "192.168.0.1", true},
                {"0.0.0.0/0", "2001:db8::1", false},
                {"::/0", "192.168.0.1", true},
                {"2001:db8::/32", "2001:db8:1::1", true},
                {"2001:db8::/32", "2001:db9::1", false},
                {"10.0.0.1", "10.0.0.1", true},
                {"10.0.0.1", "10.0.0.2", false},
                {"10.0.0.1/32", "10.0.0.1", true},
                {"::ffff:10.0.0.0/104", "10.9.9.9", true}};
  for (const auto& c : kCases) {
    EXPECT_EQ(Covers(ParseGidPrefix(c.prefix).value(), ParseGid(c.gid).value()), c.covered)
        << c.prefix << " " << c.gid;
  }
  for (const std::string_view text : {"", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "::/129",
                                      "10.0.0.0/8/8", "10.0.0.0/ 8", "x/8"}) {
    EXPECT_FALSE(ParseGidPrefix(text)) << text;
  }
}

TEST(GidType, IsReadAsSysfsSpellsIt) {
  EXPECT_EQ(ParseGidType("RoCE v2", LinkLayer::kEthernet), GidType::kRoceV2);
  EXPECT_EQ(ParseGidType("IB/RoCE v1", LinkLayer::kEthernet), GidType::kRoceV1);
  EXPECT_EQ(ParseGidType("IB/RoCE v1", LinkLayer::kInfiniband), GidType::kInfiniband);
  EXPECT_EQ(ParseGidType("", LinkLayer::kEthernet), std::nullopt);
}

TEST(LargestMtu, FitsWithItsHeaders) {
  EXPECT_EQ(LargestMtu(1500, 60), Mtu::k1024);
  EXPECT_EQ(LargestMtu(9000, 60), Mtu::k4096);
  EXPECT_EQ(LargestMtu(4156, 60), Mtu::k4096);
  EXPECT_EQ(LargestMtu(4155, 60), Mtu::k2048);
  EXPECT_EQ(LargestMtu(316, 60), Mtu::k256);
  EXPECT_EQ(LargestMtu(315, 60), std::nullopt);
  EXPECT_EQ(LargestMtu(10, 60), std::nullopt);
}

}  // namespace
}  // namespace fairlead
