// Whose the loss is that ports count: sums, both ends, age, and lines that gangs cross.
#include "extender/link/port_loss.h"

#include <gtest/gtest.h>

#include <random>

#include "common/link/loss_interval.h"
#include "extender/link/link_table.h"
#include "tests/extender/sample/links.h"

namespace fairlead::extender {
namespace {

using sample::At;
using sample::Path;
using sample::WallAt;

PortLoss Loss(bool receive, std::uint64_t lost, std::uint64_t sent, Nanoseconds age = {}) {
  return {.device = "mlx5_0",
          .port = 1,
          .receive = receive,
          .interval = MakeLossInterval(lost, sent),
          .transport = true,
          .age = age};
}

TEST(LossOfEnd, AddsUpWhatTransportCounts) {
  LossOfEnd end;
  EXPECT_FALSE(end.known());
  end.Add(Loss(false, 5, 1'000'000, Seconds(3)));
  PortLoss doubtful = Loss(false, 0, 1'000'000, Seconds(1));
  doubtful.interval.upper = 0.5;
  end.Add(doubtful);
  end.Add(Loss(false, 0, 0));
  PortLoss of_probes = Loss(false, 900, 1'000);
  of_probes.transport = false;
  end.Add(of_probes);
  ASSERT_TRUE(end.known());
  EXPECT_EQ(end.ports(), 2U);
  EXPECT_EQ(end.age(), Seconds(3));
  EXPECT_EQ(end.interval().lost, 5U);
  EXPECT_EQ(end.interval().sent, 2'000'000U);
  EXPECT_DOUBLE_EQ(end.interval().lower, MakeLossInterval(5, 2'000'000).lower);
  EXPECT_NEAR(end.interval().upper, 0.25, 1e-4) << "the mean of both upper ends";
}

TEST(LossOfLine, IsThatOfTheEndThatProvesLess) {
  LossOfEnd sent;
  LossOfEnd received;
  sent.Add(Loss(false, 500, 1'000'000));
  EXPECT_FALSE(LossOfLine(sent, received)) << "one end tells nothing";
  received.Add(Loss(true, 30, 1'000'000, Seconds(2)));
  const auto loss = LossOfLine(sent, received);
  ASSERT_TRUE(loss);
  EXPECT_EQ(loss->interval.lost, 30U);
  EXPECT_EQ(loss->ports, 2U);
  EXPECT_EQ(loss->age, Seconds(2));
  EXPECT_FALSE(loss->counts);
}

class TablePortLoss : public ::testing::Test {
 protected:
  void Report(const std::string& node, const std::string& site, const std::string& peer,
              const std::string& peer_site, double at, std::vector<PortLoss> losses) {
    ASSERT_TRUE(table_.Ingest({.node = node,
                               .site = site,
                               .sequence = ++sequence_,
                               .sent_at = WallAt(1e9 + at),
                               .received_at = At(at),
                               .paths = {Path(peer, peer_site, 36)},
                               .losses = std::move(losses)}));
  }
  // A line from hk1 to sg1 that loses, beside a clean port at each end.
  void ReportBoth(double at) {
    Report("hk1", "hk", "sg1", "sg", at, {Loss(false, 40, 1'000'000), Loss(true, 0, 1'000'000)});
    Report("sg1", "sg", "hk1", "hk", at, {Loss(true, 30, 1'000'000), Loss(false, 0, 500)});
  }
  LinkView View(double at, const std::string& from = "hk", const std::string& to = "sg") {
    return *table_.TakeSnapshot(At(at), {}).Find(from, to);
  }

  LinkTable table_{{}, LineCatalogue({{"hk", std::nullopt}, {"sg", std::nullopt}}, {})};
  std::uint64_t sequence_ = 0;
};

TEST_F(TablePortLoss, OfTheOnlyLineCountsInItsDirection) {
  ReportBoth(10);
  const LinkView there = View(12);
  ASSERT_TRUE(there.port_loss);
  EXPECT_TRUE(there.port_loss->counts);
  EXPECT_EQ(there.port_loss->interval.lost, 30U);
  EXPECT_EQ(there.port_loss->age, Seconds(2));
  ASSERT_EQ(there.lossy_ports.size(), 2U);
  EXPECT_EQ(there.lossy_ports[0].node, "hk1");
  EXPECT_EQ(there.lossy_ports[0].loss.age, Seconds(2));
  EXPECT_EQ(there.lossy_ports[1].node, "sg1");
  const LinkView back = View(12, "sg", "hk");
  ASSERT_TRUE(back.port_loss);
  EXPECT_EQ(back.port_loss->interval.lost, 0U);
  EXPECT_EQ(back.port_loss->interval.lower, 0);
  EXPECT_TRUE(back.lossy_ports.empty());
}

TEST_F(TablePortLoss, OfNodesThatAreAtNoEndOfItsProbesIsNotKnown) {
  ReportBoth(10);
  Report("hk2", "hk", "hk1", "hk", 10, {Loss(false, 900, 1'000)});
  EXPECT_EQ(View(11).port_loss->interval.lost, 30U);
  EXPECT_EQ(View(11).port_loss->ports, 2U);
}

TEST_F(TablePortLoss, ThatIsStaleIsNotKnown) {
  ReportBoth(10);
  EXPECT_TRUE(View(39).port_loss);
  EXPECT_FALSE(View(40).port_loss);
  Report("hk1", "hk", "sg1", "sg", 50, {Loss(false, 40, 1'000'000, Seconds(29))});
  Report("sg1", "sg", "hk1", "hk", 50, {Loss(true, 30, 1'000'000)});
  EXPECT_TRUE(View(50).port_loss);
  EXPECT_FALSE(View(51).port_loss) << "counters were old when they came";
  EXPECT_EQ(View(51).lossy_ports.size(), 1U);
}

TEST_F(TablePortLoss, WhereThirdSitesAreIsShownAndDoesNotCountUnlessGangsCrossOneLineAlone) {
  table_.Configure({}, sample::Catalogue());  // hk, sg, tyo, mars
  ReportBoth(10);
  EXPECT_FALSE(View(11).port_loss->counts);
  table_.SetCrossed(CrossedLines::Lines{{"hk", "sg"}}, At(11));
  EXPECT_TRUE(View(11).port_loss->counts);
  EXPECT_TRUE(View(11, "sg", "hk").port_loss->counts);
  table_.SetCrossed(CrossedLines::Lines{{"hk", "sg"}, {"sg", "tyo"}}, At(12));
  EXPECT_FALSE(View(12).port_loss->counts) << "what sg's ports lost may be of the line to tyo";
  // Gone for a minute, it may still be in what ports tell.
  table_.SetCrossed(CrossedLines::Lines{{"hk", "sg"}}, At(72));
  ReportBoth(72);
  EXPECT_FALSE(View(72).port_loss->counts);
  table_.SetCrossed(CrossedLines::Lines{{"hk", "sg"}}, At(132));
  ReportBoth(132);
  EXPECT_TRUE(View(132).port_loss->counts);
  table_.SetCrossed(CrossedLines::Lines{}, At(140));
  EXPECT_TRUE(View(140).port_loss->counts) << "crossed a moment ago";
  table_.SetCrossed(std::nullopt, At(141));
  EXPECT_FALSE(View(141).port_loss->counts) << "not known any more";
}

class BesideATest : public TablePortLoss {
 protected:
  BesideATest() { Test(10, {}); }
  // The gang's line is hk-sg.
  void Test(double at, const std::set<LinkKey>& tested, const std::set<LinkKey>& saturated = {}) {
    ReportBoth(at);
    table_.SetCrossed(CrossedLines::Lines{{"hk", "sg"}}, At(at));
    table_.SetTested(tested, saturated, At(at));
  }
  bool Counts(double at) { return View(at).port_loss->counts; }
};

TEST_F(BesideATest, OfSaturationAtEitherEndItCountsForNoLine) {
  Test(11, {{"sg", "tyo"}}, {{"sg", "tyo"}});
  EXPECT_FALSE(Counts(11));
  Test(130, {});
  EXPECT_FALSE(Counts(130)) << "ports may still tell of it";
  Test(131, {});
  EXPECT_TRUE(Counts(131));
}

TEST_F(BesideATest, ByTrainsItCountsForLinesThatTheyDoNotPass) {
  Test(11, {{"sg", "tyo"}, {"tyo", "hk"}});
  EXPECT_TRUE(Counts(11));
  Test(12, {{"sg", "hk"}});
  EXPECT_FALSE(Counts(12)) << "a full queue costs others packets, too";
  Test(131, {});
  EXPECT_FALSE(Counts(131));
  Test(132, {});
  EXPECT_TRUE(Counts(132));
}

// Whatever was tested when: never sooner than two minutes after a test that could have cost it.
TEST_F(BesideATest, ItIsTwoMinutesLateAtMost) {
  const LinkKey both[] = {{"hk", "sg"}, {"sg", "tyo"}};
  std::mt19937 random(3);
  double last = -1e9;
  for (int step = 0; step < 400; ++step) {
    const double at = 11 + 20 * step;
    std::set<LinkKey> tested;
    std::set<LinkKey> saturated;
    for (const LinkKey& link : both) {
      if (random() % 12 != 0) continue;
      tested.insert(link);
      const bool fills = random() % 2 == 0;
      if (fills) saturated.insert(link);
      if (fills || link == both[0]) last = at;
    }
    Test(at, tested, saturated);
    EXPECT_EQ(Counts(at), at - last >= 120) << "at " << at << ", last " << last;
  }
}

}  // namespace
}  // namespace fairlead::extender
