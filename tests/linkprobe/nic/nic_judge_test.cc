// What condemns a NIC, and everything that looks like it and does not.
#include "linkprobe/nic/nic_judge.h"

#include <gmock/gmock.h>

#include <vector>

#include "tests/linkprobe/nic/nic_views.h"

namespace fairlead::linkprobe {
namespace {

using testing::HasSubstr;

struct Peer {
  std::string node;
  std::string site;
  Seems seems;
  Nanoseconds since = Seconds(60);
};

EngineSnapshot EngineWith(const std::vector<Peer>& peers) {
  EngineSnapshot engine = VerbsEngine();
  for (const Peer& peer : peers) AddPeer(engine, peer.node, peer.site, peer.seems, peer.since);
  return engine;
}

TEST(NicJudge, CondemnsOnlyWhatNothingElseExplains) {
  const struct {
    std::string what;
    std::vector<Peer> peers;
    bool bad;
  } kCases[] = {
      {"nothing is probed", {}, false},
      {"two silent peers in the site",
       {{"a", "hk", Seems::kSilent}, {"b", "hk", Seems::kSilent}},
       true},
      {"two lossy peers in the site",
       {{"a", "hk", Seems::kLossy}, {"b", "hk", Seems::kLossy}},
       true},
      {"one in the site and one behind a line",
       {{"a", "hk", Seems::kSilent}, {"b", "sg", Seems::kSilent}},
       true},
      {"the only peer", {{"a", "hk", Seems::kSilent}}, false},
      {"a line is down", {{"a", "sg", Seems::kSilent}, {"b", "sg", Seems::kSilent}}, false},
      {"all lines are down, and no peer in the site is probed",
       {{"a", "sg", Seems::kSilent}, {"b", "tyo", Seems::kSilent}},
       false},
      {"all lines are down; the peer in the site is not judged",
       {{"a", "sg", Seems::kSilent},
        {"b", "tyo", Seems::kSilent},
        {"c", "us", Seems::kSilent},
        {"d", "hk", Seems::kUnknown}},
       false},
      {"a peer is well", {{"a", "hk", Seems::kSilent}, {"b", "hk", Seems::kWell}}, false},
      {"one of many is well",
       {{"a", "hk", Seems::kLossy},
        {"b", "hk", Seems::kLossy},
        {"c", "hk", Seems::kLossy},
        {"d", "sg", Seems::kLossy},
        {"e", "sg", Seems::kWell}},
       false},
      {"three quarters, the rest not judged",
       {{"a", "hk", Seems::kLossy},
        {"b", "hk", Seems::kLossy},
        {"c", "sg", Seems::kLossy},
        {"d", "sg", Seems::kUnknown}},
       true},
      {"less than three quarters",
       {{"a", "hk", Seems::kLossy}, {"b", "hk", Seems::kLossy}, {"c", "sg", Seems::kUnknown}},
       false},
      {"silent and lossy are no one fault",
       {{"a", "hk", Seems::kSilent}, {"b", "hk", Seems::kLossy}},
       false},
      {"too short",
       {{"a", "hk", Seems::kSilent}, {"b", "hk", Seems::kSilent, kFailingFor - Nanoseconds(1)}},
       false},
      {"just long enough",
       {{"a", "hk", Seems::kSilent}, {"b", "hk", Seems::kSilent, kFailingFor}},
       true},
      {"slow is not broken", {{"a", "hk", Seems::kSlow}, {"b", "hk", Seems::kSlow}}, false},
      {"a loss too small for a NIC",
       {{"a", "hk", Seems::kFaintlyLossy}, {"b", "hk", Seems::kFaintlyLossy}},
       false},
      {"a noisy host", {{"a", "hk", Seems::kNoisy}, {"b", "hk", Seems::kNoisy}}, false},
      {"recovering peers condemn nothing by themselves",
       {{"a", "hk", Seems::kHeld}, {"b", "hk", Seems::kHeld}},
       false},
  };
  for (const auto& c : kCases) {
    const NicOpinion opinion = Judge(EngineWith(c.peers));
    EXPECT_EQ(opinion.bad, c.bad) << c.what << ": " << opinion.sentence;
    EXPECT_FALSE(opinion.sentence.empty()) << c.what;
    EXPECT_EQ(opinion.peers, c.peers.size()) << c.what;
    EXPECT_EQ(opinion.nic.device, "mlx5_0");
  }
}

TEST(NicJudge, SaysTheNumbers) {
  const NicOpinion silent = Judge(EngineWith({{"a", "hk", Seems::kSilent, Seconds(45)},
                                              {"b", "hk", Seems::kSilent, Seconds(50)},
                                              {"c", "sg", Seems::kSilent, Seconds(90)}}));
  EXPECT_THAT(silent.sentence,
              HasSubstr("3 of 3 peers (2 in this site) have answered no probe for 45.0 s"));
  EXPECT_EQ(silent.failing, 3U);
  EXPECT_EQ(silent.failing_in_site, 2U);
  const NicOpinion lossy =
      Judge(EngineWith({{"a", "hk", Seems::kLossy}, {"b", "hk", Seems::kLossy}}));
  EXPECT_THAT(lossy.sentence, HasSubstr("2 of 2 peers (2 in this site) lose probes"));
  EXPECT_THAT(lossy.sentence, HasSubstr("30 of 600 lost forward"));
  EXPECT_EQ(Judge(EngineWith({{"a", "hk", Seems::kWell}, {"b", "hk", Seems::kSilent}})).sentence,
            "well towards 1 of 2 peers");
}

TEST(NicJudge, HasNoOpinionWithoutOnePortThatAllPacketsPass) {
  const EngineSnapshot good =
      EngineWith({{"a", "hk", Seems::kSilent}, {"b", "hk", Seems::kSilent}});
  const auto opinion = [](const EngineSnapshot& engine) {
    return JudgeNic({.engine = engine, .site = "hk"}, nullptr, kNow);
  };
  EXPECT_TRUE(opinion(good));
  EngineSnapshot udp = good;
  udp.nic.reset();
  EXPECT_FALSE(opinion(udp));
  EngineSnapshot down = good;
  down.transport_up = false;
  EXPECT_FALSE(opinion(down));
  EngineSnapshot hanging = good;
  hanging.at = kNow - Seconds(11);
  EXPECT_FALSE(opinion(hanging));
}

TEST(NicJudge, TakesAPeerThatIsNotThereForNoEvidence) {
  EngineSnapshot engine = EngineWith({{"a", "hk", Seems::kSilent}, {"b", "hk", Seems::kSilent}});
  engine.sessions[1].opened = kNow - Seconds(61);
  EXPECT_FALSE(Judge(engine).bad);
  engine.sessions.pop_back();
  EXPECT_FALSE(Judge(engine).bad);
}

TEST(NicJudge, BelievesNoLossThatCongestionMayExplain) {
  EngineSnapshot engine = EngineWith({{"a", "hk", Seems::kLossy}, {"b", "hk", Seems::kLossy}});
  ASSERT_TRUE(Judge(engine).bad);
  engine.paths[0].measurement.reverse.ecn_marked = 12;
  EXPECT_FALSE(Judge(engine).bad);
}

TEST(NicJudge, DoubtsItselfOnAHostThatWakesLate) {
  EngineSnapshot engine = EngineWith({{"a", "hk", Seems::kLossy}, {"b", "hk", Seems::kLossy}});
  engine.lateness_p90 = Milliseconds(20);
  EXPECT_TRUE(Judge(engine).bad);
  engine.lateness_p90 = Milliseconds(21);
  EXPECT_FALSE(Judge(engine).bad);
  EXPECT_THAT(Judge(engine).sentence, HasSubstr("this host wakes 21.0 ms late (limit 20.0 ms)"));
}

TEST(NicJudge, DoubtsSilenceWhileOthersGetThrough) {
  EngineSnapshot engine = EngineWith({{"a", "hk", Seems::kSilent}, {"b", "hk", Seems::kSilent}});
  // A silent peer may well get through: a NIC can be dumb and not deaf.
  engine.answered = {{.peer_node = "a", .last_probe = kNow - Seconds(1)},
                     {.peer_node = "z", .last_probe = kNow - Seconds(11)},
                     {.peer_node = "y", .last_probe = {}}};
  EXPECT_TRUE(Judge(engine).bad);
  engine.answered[1].last_probe = kNow - Seconds(10);
  EXPECT_FALSE(Judge(engine).bad);
  EXPECT_THAT(Judge(engine).sentence, HasSubstr("probes of z arrive"));
}

TEST(NicJudge, TakesAPeerByAllItsPaths) {
  EngineSnapshot engine = EngineWith({{"a", "hk", Seems::kSilent}, {"b", "hk", Seems::kSilent}});
  AddPeer(engine, "a", "hk", Seems::kSilent, Seconds(60), 1);
  EXPECT_TRUE(Judge(engine).bad);
  EngineSnapshot one_well = engine;
  AddPeer(one_well, "a", "hk", Seems::kWell, Seconds(60), 2);
  EXPECT_FALSE(Judge(one_well).bad);
  EngineSnapshot one_unclear = engine;
  AddPeer(one_unclear, "a", "hk", Seems::kUnknown, Seconds(60), 2);
  EXPECT_FALSE(Judge(one_unclear).bad);
}

TEST(NicJudge, JudgesEachEngineByWhatWasSaidOfItsPort) {
  EngineSnapshot bad = EngineWith({{"a", "hk", Seems::kHeld}, {"b", "hk", Seems::kHeld}});
  EngineSnapshot udp = bad;
  udp.nic.reset();
  const std::vector engines{std::make_shared<const EngineSnapshot>(udp),
                            std::make_shared<const EngineSnapshot>(bad)};
  const auto judge = [&](const std::vector<NicOpinion>& before) {
    return JudgeNics(engines, "hk", Milliseconds(20), before, kNow);
  };
  ASSERT_EQ(judge({}).size(), 1U);
  EXPECT_FALSE(judge({}).front().bad);
  NicOpinion other{.nic = {.device = "mlx5_9"}, .bad = true};
  NicOpinion same{.nic = {.device = "mlx5_0"}, .bad = true};
  EXPECT_FALSE(judge({other}).front().bad);
  EXPECT_TRUE(judge({other, same}).front().bad);
}

TEST(NicJudge, KeepsABadNicBadUntilAPeerIsWell) {
  const EngineSnapshot failing =
      EngineWith({{"a", "hk", Seems::kSilent}, {"b", "hk", Seems::kSilent}});
  const NicOpinion bad = Judge(failing);
  ASSERT_TRUE(bad.bad);
  // States have just changed; peers come back one after the other.
  const EngineSnapshot recovering =
      EngineWith({{"a", "hk", Seems::kHeld, Seconds(1)}, {"b", "hk", Seems::kLossy, Seconds(1)}});
  EXPECT_FALSE(Judge(recovering).bad);
  EXPECT_TRUE(Judge(recovering, &bad).bad);
  const EngineSnapshot one_well =
      EngineWith({{"a", "hk", Seems::kWell}, {"b", "hk", Seems::kHeld}});
  EXPECT_FALSE(Judge(one_well, &bad).bad);
  EXPECT_FALSE(Judge(EngineWith({}), &bad).bad);
  EXPECT_FALSE(
      Judge(EngineWith({{"a", "hk", Seems::kUnknown}, {"b", "hk", Seems::kHeld}}), &bad).bad);
  NicOpinion other = bad;
  other.nic.device = "mlx5_1";
  EXPECT_FALSE(Judge(recovering, &other).bad);
}

}  // namespace
}  // namespace fairlead::linkprobe
