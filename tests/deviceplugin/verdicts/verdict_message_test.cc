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

v1::LineFacts& AddLine(v1::NicVerdicts& message, const std::string& peer) {
  v1::LineFacts& line = *message.add_lines();
  line.set_peer_site(peer);
  line.set_rtt_ns(36'000'000);
  line.set_age_ns(4'000'000'000);
  line.set_loss_lower(0.001);
  line.set_loss_upper(0.01);
  line.set_capacity_bits_per_second(100'000'000'000);
  return line;
}

TEST(VerdictMessage, IsReadWhole) {
  const auto read = ReadVerdicts(Message(2).SerializeAsString(), kNow);
  ASSERT_TRUE(read);
  ASSERT_EQ(read->verdicts.size(), 2U);
  const NicVerdict& verdict = read->verdicts[1];
  EXPECT_EQ(verdict.device, "mlx5_1");
  EXPECT_EQ(verdict.port, 1U);
  EXPECT_TRUE(verdict.bad);
  EXPECT_EQ(verdict.sentence, "2 of 2 peers lose probes");
  EXPECT_EQ(verdict.at, kNow - Seconds(2));
}

TEST(VerdictMessage, TellsOfLines) {
  v1::NicVerdicts message = Message();
  message.set_site("hk");
  AddLine(message, "us");
  v1::LineFacts& bare = *message.add_lines();
  bare.set_peer_site("sg");
  bare.set_rtt_ns(1);
  const auto read = ReadVerdicts(message.SerializeAsString(), kNow);
  ASSERT_TRUE(read);
  const HeardLines want{.site = "hk",
                        .lines = {{.peer = "sg", .rtt = Nanoseconds(1), .at = kNow},
                                  {.peer = "us",
                                   .rtt = Milliseconds(36),
                                   .at = kNow - Seconds(4),
                                   .loss = {{0.001, 0.01}},
                                   .capacity_bits_per_second = 100'000'000'000}}};
  EXPECT_EQ(read->lines, want);
  EXPECT_EQ(read->verdicts.size(), 1U);
}

TEST(VerdictMessage, MayHoldNoOpinion) {
  const auto read = ReadVerdicts(Message(0).SerializeAsString(), kNow);
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->verdicts.empty());
}

TEST(VerdictMessage, TakesAnyAgeForWhatItIs) {
  v1::NicVerdicts message = Message();
  message.mutable_verdicts(0)->set_age_ns(std::numeric_limits<std::uint64_t>::max());
  const auto read = ReadVerdicts(message.SerializeAsString(), kNow);
  ASSERT_TRUE(read);
  EXPECT_GT(kNow - read->verdicts.front().at, kNicVerdictLife);
}

TEST(VerdictMessage, IsRefusedAsAWhole) {
  using Change = std::function<void(v1::NicVerdicts&)>;
  const auto device = [](std::string name) {
    return [name](v1::NicVerdicts& m) { m.mutable_verdicts(1)->set_device(name); };
  };
  const auto sentence = [](std::string text) {
    return [text](v1::NicVerdicts& m) { m.mutable_verdicts(1)->set_sentence(text); };
  };
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const auto line = [](std::function<void(v1::LineFacts&)> change) {
    return [change](v1::NicVerdicts& m) {
      m.set_site("hk");
      change(AddLine(m, "sg"));
    };
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
      {VerdictRefusal::kLine, line([](auto& l) { l.set_peer_site(""); })},
      {VerdictRefusal::kLine, line([](auto& l) { l.set_peer_site("hk"); })},
      {VerdictRefusal::kLine, line([](auto& l) { l.set_peer_site("s\ng"); })},
      {VerdictRefusal::kLine, line([](auto& l) { l.set_peer_site(std::string(254, 's')); })},
      {VerdictRefusal::kLine, line([](auto& l) { l.set_rtt_ns(0); })},
      {VerdictRefusal::kLine, line([](auto& l) { l.set_rtt_ns(3'600'000'000'001); })},
      {VerdictRefusal::kLine, line([](auto& l) { l.clear_loss_upper(); })},
      {VerdictRefusal::kLine, line([](auto& l) { l.set_loss_upper(0.0001); })},
      {VerdictRefusal::kLine, line([](auto& l) { l.set_loss_upper(1.5); })},
      {VerdictRefusal::kLine, line([](auto& l) { l.set_loss_lower(kNan); })},
      {VerdictRefusal::kLine, line([](auto& l) { l.set_capacity_bits_per_second(0); })},
      {VerdictRefusal::kLine, [](auto& m) { AddLine(m, "sg"), AddLine(m, "sg"); }},
      {VerdictRefusal::kLine, [](auto& m) { m.set_site("h\nk"); }},
      {VerdictRefusal::kLine,
       [](auto& m) {
         for (int i = 0; i < 65; ++i) AddLine(m, std::to_string(i));
       }},
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
  v1::NicVerdicts whole = Message(3);
  whole.set_site("hk");
  AddLine(whole, "sg");
  const std::string good = whole.SerializeAsString();
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
    for (const NicVerdict& verdict : read->verdicts) {
      EXPECT_FALSE(verdict.device.empty());
      EXPECT_LE(verdict.at, kNow);
    }
    for (const HeardLine& line : read->lines.lines) {
      EXPECT_FALSE(line.peer.empty());
      EXPECT_GT(line.rtt, Nanoseconds(0));
      EXPECT_LE(line.at, kNow);
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
