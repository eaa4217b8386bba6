// Messages that are taken, and every way in which one is not.
#include "deviceplugin/verdicts/verdict_message.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <random>
#include <set>
#include <string>

#include "fairlead/v1/node.pb.h"

namespace fairlead::deviceplugin {
namespace {

constexpr MonotonicTime kNow{Seconds(1000)};

v1::NicVerdicts Message(int verdicts = 1) {
  v1::NicVerdicts message;
  message.set_protocol_version(1);
  for (int i = 0; i < verdicts; ++i) {
    v1::NicVerdict& verdict = *message.add_verdicts();
    verdict.set_device("mlx5_" + std::to_string(i));
    verdict.set_port(1);
    verdict.set_bad(true);
    verdict.set_sentence("2 of 2 peers lose probes");
    verdict.set_age_ns(2'000'000'000);
  }
  return message;
}

TEST(VerdictMessage, IsReadWhole) {
  const auto read = ReadVerdicts(Message(2).SerializeAsString(), kNow);
  ASSERT_TRUE(read);
  ASSERT_EQ(read->size(), 2U);
  const NicVerdict& verdict = (*read)[1];
  EXPECT_EQ(verdict.device, "mlx5_1");
  EXPECT_EQ(verdict.port, 1U);
  EXPECT_TRUE(verdict.bad);
  EXPECT_EQ(verdict.sentence, "2 of 2 peers lose probes");
  EXPECT_EQ(verdict.at, kNow - Seconds(2));
}

TEST(VerdictMessage, MayHoldNoOpinion) {
  const auto read = ReadVerdicts(Message(0).SerializeAsString(), kNow);
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->empty());
}

TEST(VerdictMessage, TakesAnyAgeForWhatItIs) {
  v1::NicVerdicts message = Message();
  message.mutable_verdicts(0)->set_age_ns(std::numeric_limits<std::uint64_t>::max());
  const auto read = ReadVerdicts(message.SerializeAsString(), kNow);
  ASSERT_TRUE(read);
  EXPECT_GT(kNow - read->front().at, kNicVerdictLife);
}

TEST(VerdictMessage, IsRefusedAsAWhole) {
  using Change = std::function<void(v1::NicVerdicts&)>;
  const auto device = [](std::string name) {
    return [name](v1::NicVerdicts& m) { m.mutable_verdicts(1)->set_device(name); };
  };
  const auto sentence = [](std::string text) {
    return [text](v1::NicVerdicts& m) { m.mutable_verdicts(1)->set_sentence(text); };
  };
  const struct {
    VerdictRefusal why;
    Change change;
  } kCases[] = {
      {VerdictRefusal::kVersion, [](auto& m) { m.set_protocol_version(2); }},
      {VerdictRefusal::kVersion, [](auto& m) { m.set_protocol_version(0); }},
      {VerdictRefusal::kVersion, [](auto& m) { m.Clear(); }},
      {VerdictRefusal::kTooMany, [](auto& m) { m = Message(65); }},
      {VerdictRefusal::kTooMany, device("mlx5_0")},
      {VerdictRefusal::kDevice, device("")},
      {VerdictRefusal::kDevice, device("../mlx5_0")},
      {VerdictRefusal::kDevice, device("mlx5 0")},
      {VerdictRefusal::kDevice, device("mlx5\n")},
      {VerdictRefusal::kDevice, device(std::string(64, 'a'))},
      {VerdictRefusal::kDevice, [](auto& m) { m.mutable_verdicts(1)->set_port(0); }},
      {VerdictRefusal::kSentence, sentence(std::string(513, 'a'))},
      {VerdictRefusal::kSentence, sentence("two\nlines")},
      {VerdictRefusal::kSentence, sentence("\x1b[31m")},
      {VerdictRefusal::kTooLong,
       [](auto& m) { m.mutable_verdicts(1)->set_sentence(std::string(20'000, 'a')); }},
  };
  for (const auto& c : kCases) {
    v1::NicVerdicts message = Message(2);
    c.change(message);
    const auto read = ReadVerdicts(message.SerializeAsString(), kNow);
    ASSERT_FALSE(read) << VerdictRefusalName(c.why);
    EXPECT_EQ(VerdictRefusalName(read.error()), VerdictRefusalName(c.why));
  }
  EXPECT_TRUE(ReadVerdicts(Message(64).SerializeAsString(), kNow));
  const auto text = ReadVerdicts("{\"bad\": true}", kNow);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error(), VerdictRefusal::kMalformed);
}

TEST(VerdictMessage, SurvivesAnyBytes) {
  std::mt19937 random(3);
  const std::string good = Message(3).SerializeAsString();
  int refused = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes = good;
    for (int flips = 0; flips < 1 + i % 4; ++flips) {
      bytes[random() % bytes.size()] = static_cast<char>(random());
    }
    bytes.resize(random() % (bytes.size() + 1));
    const auto read = ReadVerdicts(bytes, kNow);
    if (!read) {
      ++refused;
      continue;
    }
    for (const NicVerdict& verdict : *read) {
      EXPECT_FALSE(verdict.device.empty());
      EXPECT_LE(verdict.at, kNow);
    }
  }
  EXPECT_GT(refused, 1000);
}

TEST(VerdictRefusal, HasANameForEach) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < kVerdictRefusals; ++i) {
    names.insert(VerdictRefusalName(static_cast<VerdictRefusal>(i)));
  }
  EXPECT_EQ(names.size(), kVerdictRefusals);
  EXPECT_FALSE(names.contains("unknown"));
}

}  // namespace
}  // namespace fairlead::deviceplugin
