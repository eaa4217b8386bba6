#include "deviceplugin/profile/nccl_gid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "tests/deviceplugin/profile/port_tables.h"

namespace fairlead::deviceplugin {
namespace {

GidPrefix Prefix(const std::string& text) { return ParseGidPrefix(text).value(); }

const NcclGidPolicy kDefault;
const NcclGidPolicy kIpv6{AddressFamily::kIpv6, std::nullopt, GidType::kRoceV2};

// Worked out by hand from NCCL's steps.
TEST(NcclChoice, GoesAsNcclDoes) {
  const Table usual{"1 fe80::1", "2 fe80::1", "1 10.0.0.1", "2 10.0.0.1"};
  const struct {
    std::string what;
    Table table;
    NcclGidPolicy policy;
    std::uint32_t index;
  } kCases[] = {
      {"the usual four entries", usual, kDefault, 3},
      {"v1 wanted", usual, {AddressFamily::kIpv4, std::nullopt, GidType::kRoceV1}, 2},
      {"v2 first", {"1 fe80::1", "2 10.0.0.1", "1 10.0.0.1"}, kDefault, 1},
      {"a second address does not win", {"1 fe80::1", "2 10.0.0.1", "2 10.0.0.2"}, kDefault, 1},
      {"the range does",
       {"1 fe80::1", "2 10.0.0.1", "2 10.1.0.2"},
       {AddressFamily::kIpv4, Prefix("10.1.0.0/16"), GidType::kRoceV2},
       2},
      {"a wrong range silently gives 0",
       usual,
       {AddressFamily::kIpv4, Prefix("10.9.0.0/16"), GidType::kRoceV2},
       0},
      {"IPv6 only, not told", {"1 fe80::1", "2 fe80::1", "1 fd00::1", "2 fd00::1"}, kDefault, 0},
      {"IPv6 only, told", {"1 fe80::1", "2 fe80::1", "1 fd00::1", "2 fd00::1"}, kIpv6, 3},
      {"link-local only", {"1 fe80::1", "2 fe80::1"}, kIpv6, 0},
      {"only v1 of the family", {"1 fe80::1", "1 10.0.0.1"}, kDefault, 1},
      {"a sparse table", {"", "", "", "", "1 10.0.0.1", "2 10.0.0.1"}, kDefault, 5},
      {"IPv6 after IPv4 at 0", {"2 10.0.0.1", "1 fe80::1", "2 fd00::1"}, kIpv6, 2},
      {"an empty entry counts as IPv6", {"2 10.0.0.1", ""}, kIpv6, 1},
      {"nothing at all", {"", ""}, kDefault, 0},
  };
  for (const auto& c : kCases) {
    const HcaPort port = RocePort(c.table);
    EXPECT_EQ(NcclChoice(port.gids, port.gid_table_length, c.policy), c.index) << c.what;
  }
}

TEST(NcclChoice, DoesNotDependOnTheOrderOfTheEntries) {
  HcaPort port = RocePort({"1 fe80::1", "2 fe80::1", "1 10.0.0.1", "2 10.0.0.1"});
  std::reverse(port.gids.begin(), port.gids.end());
  EXPECT_EQ(NcclChoice(port.gids, 4, kDefault), 3U);
}

TEST(NcclChoice, EqualsASecondReadingOnEveryTable) {
  const Table entries{"",           "1 fe80::1", "2 fe80::1", "1 10.0.0.1",   "2 10.0.0.1",
                      "2 10.1.0.1", "1 fd00::1", "2 fd00::1", "2 2001:db8::1"};
  const struct {
    NcclGidPolicy policy;
    MirrorSettings settings;
  } kPolicies[] = {
      {kDefault, {}},
      {kIpv6, {"AF_INET6", "", "2"}},
      {{AddressFamily::kIpv4, Prefix("10.1.0.0/16"), GidType::kRoceV2},
       {"AF_INET", "10.1.0.0/16", ""}},
      {{AddressFamily::kIpv6, Prefix("fd00::/8"), GidType::kRoceV1}, {"AF_INET6", "fd00::/8", "1"}},
  };
  std::mt19937 random(7);
  std::uniform_int_distribution<std::size_t> entry(0, entries.size() - 1);
  std::uniform_int_distribution<std::size_t> length(1, 8);
  for (int round = 0; round < 5000; ++round) {
    Table table;
    for (std::size_t i = length(random); i > 0; --i) table.push_back(entries[entry(random)]);
    const HcaPort port = RocePort(table);
    for (const auto& p : kPolicies) {
      ASSERT_EQ(NcclChoice(port.gids, port.gid_table_length, p.policy),
                MirrorOfNccl(MirrorTable(table), p.settings))
          << testing::PrintToString(table);
    }
  }
}

TEST(FamilyOf, TellsPrefixesApart) {
  EXPECT_EQ(FamilyOf(Prefix("10.0.0.0/8")), AddressFamily::kIpv4);
  EXPECT_EQ(FamilyOf(Prefix("0.0.0.0/0")), AddressFamily::kIpv4);
  EXPECT_EQ(FamilyOf(Prefix("::ffff:10.0.0.1")), AddressFamily::kIpv4);
  EXPECT_EQ(FamilyOf(Prefix("2001:db8::/32")), AddressFamily::kIpv6);
  EXPECT_EQ(FamilyOf(Prefix("::1/128")), AddressFamily::kIpv6);
  EXPECT_EQ(FamilyOf(Prefix("::/0")), std::nullopt);
  EXPECT_EQ(FamilyOf(ParseGid("ff0e::ffff:10.0.0.1").value()), AddressFamily::kIpv4);
}

}  // namespace
}  // namespace fairlead::deviceplugin
