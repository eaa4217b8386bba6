#include "linkprobe/auth/packet_key.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace fairlead::linkprobe {
namespace {

std::vector<std::uint8_t> Bytes(std::string_view text) { return {text.begin(), text.end()}; }

PacketKey Key(std::uint8_t fill) {
  const std::vector<std::uint8_t> secret(32, fill);
  auto key = PacketKey::Create(7, secret);
  EXPECT_TRUE(key);
  return *std::move(key);
}

PacketBytes Probe(std::uint64_t sequence) {
  Packet p;
  p.sequence = sequence;
  return Encode(p);
}

std::string Hex(std::span<const std::uint8_t> bytes) {
  std::string text;
  for (const std::uint8_t byte : bytes) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

// RFC 4231, test cases 1 and 6; the latter's key is longer than a block.
TEST(PacketKey, SignsLikeTheStandardSays) {
  auto one = PacketKey::Create(1, std::vector<std::uint8_t>(20, 0x0b));
  ASSERT_TRUE(one);
  const auto first = one->Sign(Bytes("Hi There"));
  ASSERT_TRUE(first);
  EXPECT_EQ(Hex(*first), "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  auto six = PacketKey::Create(1, std::vector<std::uint8_t>(131, 0xaa));
  ASSERT_TRUE(six);
  const auto second = six->Sign(Bytes("Test Using Larger Than Block-Size Key - Hash Key First"));
  ASSERT_TRUE(second);
  EXPECT_EQ(Hex(*second), "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST(PacketKey, VerifiesWhatItSealedAgainAndAgain) {
  PacketKey key = Key(1);
  for (std::uint64_t sequence = 1; sequence < 100; ++sequence) {
    PacketBytes bytes = Probe(sequence);
    ASSERT_TRUE(key.Seal(bytes));
    EXPECT_TRUE(key.Verify(bytes));
  }
}

TEST(PacketKey, RefusesEverySingleBitFlip) {
  PacketKey key = Key(1);
  PacketBytes bytes = Probe(1);
  ASSERT_TRUE(key.Seal(bytes));
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    PacketBytes spoilt = bytes;
    spoilt[bit / 8] ^= static_cast<std::uint8_t>(1u << bit % 8);
    EXPECT_FALSE(key.Verify(spoilt)) << "bit " << bit;
  }
}

TEST(PacketKey, RefusesAnotherKeyAndAnotherLength) {
  PacketKey key = Key(1);
  PacketKey other = Key(2);
  PacketBytes bytes = Probe(1);
  ASSERT_TRUE(key.Seal(bytes));
  EXPECT_FALSE(other.Verify(bytes));
  EXPECT_FALSE(key.Verify(std::span(bytes).first(127)));
  EXPECT_FALSE(key.Verify({}));
}

TEST(PacketKey, NeedsSixteenBytes) {
  const auto short_key = PacketKey::Create(9, std::vector<std::uint8_t>(15, 1));
  ASSERT_FALSE(short_key);
  EXPECT_EQ(short_key.error().code, ErrorCode::kInvalidArgument);
  EXPECT_NE(short_key.error().message.find("key 9 has 15 bytes"), std::string::npos);
  EXPECT_TRUE(PacketKey::Create(9, std::vector<std::uint8_t>(16, 1)));
}

TEST(EqualInConstantTime, ComparesLengthAndEveryByte) {
  EXPECT_TRUE(EqualInConstantTime(Bytes("abc"), Bytes("abc")));
  EXPECT_FALSE(EqualInConstantTime(Bytes("abc"), Bytes("abd")));
  EXPECT_FALSE(EqualInConstantTime(Bytes("abc"), Bytes("ab")));
  EXPECT_TRUE(EqualInConstantTime({}, {}));
}

}  // namespace
}  // namespace fairlead::linkprobe
