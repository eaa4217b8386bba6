#include "linkprobe/wire/packet.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace fairlead::linkprobe {
namespace {

Packet FullReply() {
  Packet p;
  p.kind = PacketKind::kReply;
  p.path = 3;
  p.hardware_stamps = true;
  p.session_id = 0x0102030405060708;
  p.sequence = 0x1112131415161718;
  p.t1 = 0x2122232425262728;
  p.t3 = -2;
  p.t4 = 0x4142434445464748;
  p.previous_t4 = 0x5152535455565758;
  p.previous_t4_sequence = 0x6162636465666768;
  p.responder_rx = 0x7172737475767778;
  p.responder_tx = 0x8182838485868788;
  p.rx_ahead = 0x9192;
  p.rx_bitmap = 0xa1a2a3a4a5a6a7a8;
  p.hop_limit_known = true;
  p.rx_hop_limit = 61;
  p.rx_tos = 0xb3;
  p.forward_duplicates = 0xc1c2c3c4;
  p.forward_reordered = 0xd1d2d3d4;
  p.key_id = 0xe1e2e3e4;
  p.prober_epoch = 0xf1f2f3f4f5f6f7f8;
  for (std::size_t i = 0; i < p.mac.size(); ++i) p.mac[i] = static_cast<std::uint8_t>(i + 1);
  return p;
}

Packet SmallProbe() {
  Packet p;
  p.sequence = 1;
  p.t1 = 5;
  return p;
}

std::uint64_t BigEndian(const PacketBytes& bytes, std::size_t at, std::size_t size) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size; ++i) value = value << 8 | bytes[at + i];
  return value;
}

TEST(Packet, FieldsLieWhereTheHeaderSays) {
  const Packet p = FullReply();
  const PacketBytes bytes = Encode(p);
  EXPECT_EQ(BigEndian(bytes, 0, 4), 0x464c5031u);
  EXPECT_EQ(bytes[4], 1);
  EXPECT_EQ(bytes[5], 2);
  EXPECT_EQ(bytes[6], 3);
  EXPECT_EQ(bytes[7], 3);
  struct Place {
    std::size_t at, size;
    std::uint64_t value;
  };
  const Place places[] = {{8, 8, p.session_id},
                          {16, 8, p.sequence},
                          {24, 8, 0x2122232425262728},
                          {32, 8, 0xfffffffffffffffe},
                          {40, 8, 0x4142434445464748},
                          {48, 8, 0x5152535455565758},
                          {56, 8, p.previous_t4_sequence},
                          {64, 8, p.responder_rx},
                          {72, 8, p.responder_tx},
                          {80, 8, p.rx_bitmap},
                          {88, 1, 61},
                          {89, 1, 0xb3},
                          {90, 2, p.rx_ahead},
                          {92, 4, p.forward_duplicates},
                          {96, 4, p.forward_reordered},
                          {100, 4, p.key_id},
                          {104, 8, p.prober_epoch},
                          {112, 8, 0x0102030405060708},
                          {120, 8, 0x090a0b0c0d0e0f10}};
  for (const Place& place : places) {
    EXPECT_EQ(BigEndian(bytes, place.at, place.size), place.value) << "offset " << place.at;
  }
}

TEST(Packet, DecodeIsTheInverseOfEncode) {
  for (const Packet& p : {FullReply(), SmallProbe()}) {
    const auto decoded = Decode(Encode(p));
    ASSERT_TRUE(decoded) << decoded.error().message;
    EXPECT_EQ(*decoded, p);
  }
}

TEST(Packet, WhatDecodesEncodesToTheSameBytes) {
  std::mt19937_64 random(1);
  const PacketBytes seed = Encode(FullReply());
  int accepted = 0;
  for (int i = 0; i < 20'000; ++i) {
    PacketBytes bytes = seed;
    for (int flips = 0; flips < 3; ++flips) {
      bytes[random() % bytes.size()] ^= static_cast<std::uint8_t>(1u << random() % 8);
    }
    const auto decoded = Decode(bytes);
    if (!decoded) continue;
    ++accepted;
    ASSERT_EQ(Encode(*decoded), bytes);
  }
  EXPECT_GT(accepted, 1000);
}

struct BadCase {
  const char* name;
  void (*spoil)(std::vector<std::uint8_t>&);
  const char* said;
};

class BadPacket : public ::testing::TestWithParam<BadCase> {};

TEST_P(BadPacket, IsRefusedWithItsReason) {
  const PacketBytes good = Encode(SmallProbe());
  std::vector<std::uint8_t> bytes(good.begin(), good.end());
  GetParam().spoil(bytes);
  const auto decoded = Decode(bytes);
  ASSERT_FALSE(decoded);
  EXPECT_EQ(decoded.error().code, ErrorCode::kInvalidArgument);
  EXPECT_NE(decoded.error().message.find(GetParam().said), std::string::npos)
      << decoded.error().message;
}

using Bytes = std::vector<std::uint8_t>;
constexpr BadCase kBadCases[] = {
    {"empty", [](Bytes& b) { b.clear(); }, "0 bytes"},
    {"one_short", [](Bytes& b) { b.pop_back(); }, "127 bytes"},
    {"one_long", [](Bytes& b) { b.push_back(0); }, "129 bytes"},
    {"magic", [](Bytes& b) { b[3] = '2'; }, "FLP1"},
    {"version", [](Bytes& b) { b[4] = 2; }, "version 2"},
    {"kind_0", [](Bytes& b) { b[5] = 0; }, "kind 0"},
    {"kind_3", [](Bytes& b) { b[5] = 3; }, "kind 3"},
    {"flags", [](Bytes& b) { b[7] = 4; }, "flags 4"},
    {"sequence_0", [](Bytes& b) { b[23] = 0; }, "sequence 0"},
    {"probe_with_t3", [](Bytes& b) { b[39] = 1; }, "only a responder"},
    {"probe_with_t4", [](Bytes& b) { b[47] = 1; }, "only a responder"},
    {"probe_with_bitmap", [](Bytes& b) { b[80] = 1; }, "only a responder"},
    {"probe_with_hop_limit", [](Bytes& b) { b[88] = 1; }, "only a responder"},
    {"probe_with_rx_ahead", [](Bytes& b) { b[91] = 1; }, "only a responder"},
    {"probe_with_reordered", [](Bytes& b) { b[99] = 1; }, "only a responder"},
    {"probe_with_hop_flag", [](Bytes& b) { b[7] = 2; }, "only a responder"},
};

INSTANTIATE_TEST_SUITE_P(Cases, BadPacket, ::testing::ValuesIn(kBadCases),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace fairlead::linkprobe
