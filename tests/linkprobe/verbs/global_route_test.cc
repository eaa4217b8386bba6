#include "linkprobe/verbs/global_route.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

namespace fairlead::linkprobe {
namespace {

using Header = std::array<std::uint8_t, kGlobalRouteBytes>;

// The IPv4 header of a RoCE v2 packet from 172.20.1.2 to 172.20.2.2 with a right checksum.
Header Ipv4(std::uint8_t tos, std::uint8_t ttl) {
  Header header{};
  const std::uint8_t ip[20] = {0x45, tos,  0x00, 0xbc, 0x12, 0x34, 0x40, 0x00, ttl, 0x11,
                               0x00, 0x00, 172,  20,   1,    2,    172,  20,   2,   2};
  std::copy(std::begin(ip), std::end(ip), header.begin() + 20);
  std::uint32_t sum = 0;
  for (std::size_t i = 20; i < 40; i += 2) {
    sum += static_cast<std::uint32_t>(header[i] << 8 | header[i + 1]);
  }
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
  header[30] = static_cast<std::uint8_t>(~sum >> 8);
  header[31] = static_cast<std::uint8_t>(~sum);
  return header;
}

Header Ipv6(std::uint8_t traffic_class, std::uint8_t hop_limit) {
  Header header{};
  header[0] = static_cast<std::uint8_t>(0x60 | traffic_class >> 4);
  header[1] = static_cast<std::uint8_t>(traffic_class << 4);
  header[7] = hop_limit;
  return header;
}

TEST(GlobalRouteTest, ReadsIpv4FromTheSecondHalf) {
  const auto route = ParseGlobalRoute(Ipv4(0xb3, 62));
  ASSERT_TRUE(route);
  EXPECT_EQ(route->hop_limit, 62);
  EXPECT_EQ(route->traffic_class, 0xb3);
}

TEST(GlobalRouteTest, ReadsIpv4WhateverTheUndefinedFirstHalfHolds) {
  Header header = Ipv4(0, 61);
  for (std::size_t i = 0; i < 20; ++i) header[i] = 0x66;
  const auto route = ParseGlobalRoute(header);
  ASSERT_TRUE(route);
  EXPECT_EQ(route->hop_limit, 61);
}

TEST(GlobalRouteTest, ReadsIpv6) {
  const auto route = ParseGlobalRoute(Ipv6(0xb9, 250));
  ASSERT_TRUE(route);
  EXPECT_EQ(route->hop_limit, 250);
  EXPECT_EQ(route->traffic_class, 0xb9);
}

TEST(GlobalRouteTest, AnIpv6AddressThatLooksLikeIpv4StaysIpv6) {
  Header header = Ipv6(0, 63);
  header[20] = 0x45;  // middle of the source address
  header[28] = 17;
  const auto route = ParseGlobalRoute(header);
  ASSERT_TRUE(route);
  EXPECT_EQ(route->hop_limit, 63);
}

TEST(GlobalRouteTest, KnowsNothingOfOtherBytes) {
  EXPECT_FALSE(ParseGlobalRoute(Header{}));
  const Header header = Ipv4(0, 64);
  EXPECT_FALSE(ParseGlobalRoute(std::span(header).first(39)));
}

}  // namespace
}  // namespace fairlead::linkprobe
