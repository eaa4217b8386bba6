#include "extender/registry/pair_keys.h"

#include <gtest/gtest.h>

#include <set>

namespace fairlead::extender {
namespace {

const NodePair kPair{.first = "a", .second = "b"};

TEST(PairKeys, StayWhileBothProbesLive) {
  PairKeys keys;
  const auto key = keys.KeyOf(kPair, 1, 2);
  const auto again = keys.KeyOf(kPair, 1, 2);
  ASSERT_TRUE(key && again);
  EXPECT_EQ(key->id, again->id);
  EXPECT_EQ(key->bytes, again->bytes);
}

TEST(PairKeys, ChangeWhenEitherProbeRestarts) {
  PairKeys keys;
  const auto key = keys.KeyOf(kPair, 1, 2);
  const auto first_restarted = keys.KeyOf(kPair, 3, 2);
  const auto second_restarted = keys.KeyOf(kPair, 3, 4);
  ASSERT_TRUE(key && first_restarted && second_restarted);
  EXPECT_NE(key->bytes, first_restarted->bytes);
  EXPECT_NE(key->id, first_restarted->id);
  EXPECT_NE(first_restarted->bytes, second_restarted->bytes);
}

TEST(PairKeys, AreForgottenWithTheirPair) {
  PairKeys keys;
  const auto key = keys.KeyOf(kPair, 1, 2);
  keys.Keep({});
  EXPECT_EQ(keys.size(), 0U);
  const auto fresh = keys.KeyOf(kPair, 1, 2);
  ASSERT_TRUE(key && fresh);
  EXPECT_NE(key->bytes, fresh->bytes);
}

TEST(PairKeys, NeverRepeat) {
  PairKeys keys;
  std::set<std::array<unsigned char, 32>> seen;
  std::set<std::uint32_t> ids;
  for (int i = 0; i < 200; ++i) {
    const auto key = keys.KeyOf({.first = "a", .second = std::to_string(i)}, 1, 1);
    ASSERT_TRUE(key);
    EXPECT_TRUE(seen.insert(key->bytes).second);
    EXPECT_TRUE(ids.insert(key->id).second);
  }
}

}  // namespace
}  // namespace fairlead::extender
