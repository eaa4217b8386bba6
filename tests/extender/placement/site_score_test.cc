#include "extender/placement/site_score.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "tests/extender/sample/links.h"

namespace fairlead::extender {
namespace {

using sample::Catalogue;
using sample::Lab;
using sample::Links;
using ::testing::HasSubstr;
using ::testing::Not;

// Two members in hk, which is full; the third may go to sg or tyo.
PlacementRequest ThirdPod(double bytes = 1000) {
  PlacementRequest request;
  request.has_gang = true;
  request.profile.pattern = CommPattern::kAllreduce;
  request.profile.bytes_per_step = bytes;
  request.members = {{"hk", 2}};
  request.free_members = {{"hk", 0}, {"sg", 4}, {"tyo", 4}};
  request.candidate_sites = {"sg", "tyo"};
  return request;
}

double ScoreAt(const std::string& site, const PlacementRequest& request, const LinkSnapshot& links,
               const LineCatalogue& catalogue = Catalogue()) {
  const auto scores = ScoreSites(request, links, catalogue);
  const SiteScore* score = FindSiteScore(scores, site);
  EXPECT_NE(score, nullptr);
  return score == nullptr ? -1 : score->score;
}

TEST(ScoreSites, TheNearerSiteWinsWhenHkIsFull) {
  const auto scores = ScoreSites(ThirdPod(), Lab().Snapshot(), Catalogue());
  ASSERT_EQ(scores.size(), 2U);
  EXPECT_EQ(scores[0].site, "sg");
  EXPECT_EQ(scores[0].score, 10);
  EXPECT_EQ(scores[0].rounded, 10);
  // T = 4/3 x (0.01 ms + RTT) + 4/3 x 8 us: 48.024 and 66.691 ms;
  // 10 x (1 - ln(66.691 / 48.024) / ln 8) = 8.421
  EXPECT_NEAR(*scores[0].seconds * 1e3, 48.024, 1e-3);
  EXPECT_NEAR(*scores[1].seconds * 1e3, 66.691, 1e-3);
  EXPECT_NEAR(scores[1].score, 8.421, 1e-3);
  EXPECT_EQ(scores[1].rounded, 8);
  EXPECT_EQ(scores[1].placement, (SiteCounts{{"hk", 2}, {"tyo", 1}}));
}

TEST(ScoreSites, ItsOwnSiteWinsWhileItHasRoom) {
  PlacementRequest request = ThirdPod();
  request.free_members["hk"] = 1;
  request.candidate_sites = {"hk", "sg", "tyo"};
  const LinkSnapshot links = Lab().Snapshot();
  EXPECT_EQ(ScoreAt("hk", request, links), 10);
  EXPECT_EQ(ScoreAt("sg", request, links), 0);  // 48 ms against 40 us
}

TEST(ScoreSites, TheBestCountsEvenWhenItIsNoCandidate) {
  PlacementRequest request = ThirdPod();
  request.candidate_sites = {"tyo"};
  EXPECT_NEAR(ScoreAt("tyo", request, Lab().Snapshot()), 8.421, 1e-3);
}

TEST(ScoreSites, ACandidateHasRoomWhateverTheInventorySays) {
  PlacementRequest request = ThirdPod();
  request.free_members = {{"hk", 0}, {"sg", 0}, {"tyo", 0}};
  EXPECT_EQ(ScoreAt("sg", request, Lab().Snapshot()), 10);
  request.free_members.clear();
  EXPECT_EQ(ScoreAt("sg", request, Lab().Snapshot()), 10);
}

TEST(ScoreSites, WithoutAGangAllIsFive) {
  PlacementRequest request = ThirdPod();
  request.has_gang = false;
  for (const SiteScore& score : ScoreSites(request, Lab().Snapshot(), Catalogue())) {
    EXPECT_EQ(score.score, 5);
    EXPECT_EQ(score.rounded, 5);
    EXPECT_EQ(score.seconds, std::nullopt);
    EXPECT_THAT(score.explanation, HasSubstr("belongs to no gang"));
  }
}

TEST(ScoreSites, AFirstPodOfAGangOfUnknownSizeIsFive) {
  PlacementRequest request = ThirdPod();
  request.members.clear();
  EXPECT_EQ(ScoreAt("sg", request, Lab().Snapshot()), 5);
}

TEST(ScoreSites, AFirstPodGoesWhereItsGangFits) {
  PlacementRequest request = ThirdPod();
  request.members.clear();
  request.remaining = 4;
  request.free_members = {{"hk", 2}, {"sg", 3}, {"tyo", 4}};
  request.candidate_sites = {"hk", "sg", "tyo"};
  const LinkSnapshot links = Lab().Snapshot();
  EXPECT_EQ(ScoreAt("tyo", request, links), 10);
  EXPECT_EQ(ScoreAt("hk", request, links), 0);
}

TEST(ScoreSites, WhereNothingIsKnownIsFive) {
  PlacementRequest request = ThirdPod();
  const auto scores = ScoreSites(request, {}, {});
  EXPECT_EQ(scores[0].score, 5);
  EXPECT_EQ(scores[0].seconds, std::nullopt);
  EXPECT_THAT(scores[0].explanation, HasSubstr("nothing is known"));
}

TEST(ScoreSites, AnUnknownSiteNameIsFiveBesideTheOthers) {
  PlacementRequest request = ThirdPod();
  request.candidate_sites = {"", "sg", "tyo"};
  const auto scores = ScoreSites(request, Lab().Snapshot(), Catalogue());
  ASSERT_EQ(scores.size(), 3U);
  EXPECT_EQ(FindSiteScore(scores, "")->score, 5);
  EXPECT_EQ(FindSiteScore(scores, "sg")->score, 10);
  EXPECT_EQ(FindSiteScore(scores, "us"), nullptr);
}

TEST(ScoreSites, AnUnmeasuredLineNeitherWinsNorLoses) {
  // Only hk - sg is measured; hk - tyo is taken at 1.4 x 28.2 = 39.5 ms, give or take 30 %.
  const LinkSnapshot links = Links().Line("hk", "sg", 36, 36).Snapshot();
  EXPECT_EQ(ScoreAt("sg", ThirdPod(), links), ScoreAt("tyo", ThirdPod(), links));
  const LinkSnapshot slower = Links().Line("hk", "sg", 45, 45).Snapshot();
  EXPECT_EQ(ScoreAt("sg", ThirdPod(), slower), ScoreAt("tyo", ThirdPod(), slower));
}

TEST(ScoreSites, TwoMicrosecondsAreNoDifference) {
  const LinkSnapshot links =
      Links().Line("hk", "sg", 36, 36).Line("hk", "tyo", 36.002, 36.002).Snapshot();
  EXPECT_EQ(ScoreAt("sg", ThirdPod(), links), 10);
  EXPECT_EQ(ScoreAt("tyo", ThirdPod(), links), 10);
}

TEST(ScoreSites, TenPercentSlowerIsNineAndAHalfAndEightTimesSlowerNothing) {
  const LinkSnapshot ten = Links().Line("hk", "sg", 40, 40).Line("hk", "tyo", 44, 44).Snapshot();
  EXPECT_NEAR(ScoreAt("tyo", ThirdPod(1), ten), 9.54, 0.01);
  const LinkSnapshot eight =
      Links().Line("hk", "sg", 30, 30).Line("hk", "tyo", 241, 241).Snapshot();
  EXPECT_EQ(ScoreAt("tyo", ThirdPod(1), eight), 0);
}

TEST(ScoreSites, EachWayOfGoingBadLowersTheSite) {
  const double before = ScoreAt("sg", ThirdPod(), Lab().Snapshot());
  Links step = Lab().Line("hk", "sg", 61, 62);
  step.State("hk", "sg", LinkState::kDegraded, LinkReason::kRttStep);
  EXPECT_LT(ScoreAt("sg", ThirdPod(), step.Snapshot()), before);
  EXPECT_EQ(ScoreAt("tyo", ThirdPod(), step.Snapshot()), 10);

  Links loss = Lab();
  loss.At("hk", "sg").forward.loss = MakeLossInterval(50, 1000);
  loss.State("hk", "sg", LinkState::kDegraded, LinkReason::kLossForward);
  EXPECT_LT(ScoreAt("sg", ThirdPod(), loss.Snapshot()), before);

  Links fluctuation = Lab().Line("hk", "sg", 36, 70);
  fluctuation.State("hk", "sg", LinkState::kDegraded, LinkReason::kFluctuation);
  EXPECT_LT(ScoreAt("sg", ThirdPod(), fluctuation.Snapshot()), before);

  Links down = Lab().State("hk", "sg", LinkState::kDown, LinkReason::kNoReply);
  EXPECT_EQ(ScoreAt("sg", ThirdPod(), down.Snapshot()), 0);
}

TEST(ScoreSites, NeverRisesWithRtt) {
  double last = 10;
  for (double p50 = 26; p50 < 600; p50 *= 1.05) {
    const double score = ScoreAt("sg", ThirdPod(), Lab().Line("hk", "sg", p50, p50).Snapshot());
    EXPECT_LE(score, last);
    EXPECT_GE(score, 0);
    last = score;
  }
  EXPECT_EQ(last, 0);
}

TEST(ScoreSites, LatencyAndBandwidthBoundGangsChooseDifferently) {
  // sg is near over 1 Gb/s, tyo far over 10 Gb/s.
  const LineCatalogue lines(
      {}, {{"hk", "sg", 1'000'000'000}, {"hk", "tyo", 10'000'000'000}, {"sg", "tyo", 1}});
  const LinkSnapshot links = Lab().Snapshot();
  EXPECT_GT(ScoreAt("sg", ThirdPod(1e4), links, lines),
            ScoreAt("tyo", ThirdPod(1e4), links, lines));
  EXPECT_LT(ScoreAt("sg", ThirdPod(1e9), links, lines),
            ScoreAt("tyo", ThirdPod(1e9), links, lines));
}

TEST(ScoreSites, GangsOnTheLineCountAgainstItWhereBandwidthRules) {
  const LinkSnapshot links = Links().Line("hk", "sg", 36, 36).Line("hk", "tyo", 36, 36).Snapshot();
  PlacementRequest request = ThirdPod(1e9);
  EXPECT_EQ(ScoreAt("sg", request, links), ScoreAt("tyo", request, links));
  request.occupancy = {{{"hk", "sg"}, 1}};
  EXPECT_LT(ScoreAt("sg", request, links), ScoreAt("tyo", request, links));
}

TEST(ScoreSites, OrderAndRepeatsOfCandidatesDoNotMatter) {
  PlacementRequest request = ThirdPod();
  request.candidate_sites = {"hk", "sg", "tyo"};
  const auto first = ScoreSites(request, Lab().Snapshot(), Catalogue());
  while (std::ranges::next_permutation(request.candidate_sites).found) {
    PlacementRequest repeated = request;
    repeated.candidate_sites.push_back("sg");
    const auto scores = ScoreSites(repeated, Lab().Snapshot(), Catalogue());
    ASSERT_EQ(scores.size(), first.size());
    for (std::size_t i = 0; i < scores.size(); ++i) {
      EXPECT_EQ(scores[i].site, first[i].site);
      EXPECT_EQ(scores[i].score, first[i].score);
      EXPECT_EQ(scores[i].explanation, first[i].explanation);
    }
  }
}

TEST(ScoreSites, ExplainsWithTheNumbers) {
  const LinkSnapshot links = Lab().Line("hk", "sg", 36.2, 38).Snapshot();
  const auto scores = ScoreSites(ThirdPod(), links, Catalogue());
  const std::string& sentence = FindSiteScore(scores, "sg")->explanation;
  EXPECT_THAT(sentence, HasSubstr(" ms a step, 10.0 of 10: 2 in hk and 1 in sg over line hk-sg "
                                  "(p50 36.2 ms, p99 38 ms, loss 0 %)"));
  EXPECT_THAT(sentence, HasSubstr("% of it latency"));
  EXPECT_THAT(sentence, Not(HasSubstr("\n")));
}

TEST(ScoreSites, ExplainsWhatATestOfTheLineFound) {
  Links links = Lab();
  links.At("sg", "hk").rate = LineRate{.bytes_per_second = 12.5e6,
                                       .source = RateSource::kTrain,
                                       .age = Seconds(300),
                                       .at_least = true};
  links.At("hk", "sg").rate = LineRate{.bytes_per_second = 125e6};  // as declared
  EXPECT_THAT(
      FindSiteScore(ScoreSites(ThirdPod(), links.Snapshot(), Catalogue()), "sg")->explanation,
      HasSubstr("loss 0 %, at least 100 Mbps by train 5 min ago)"));
}

TEST(ScoreSites, ExplainsWhatIsAssumedDegradedDownOrInsideOneSite) {
  const auto explain = [](const char* site, const PlacementRequest& request,
                          const LinkSnapshot& links) {
    return FindSiteScore(ScoreSites(request, links, Catalogue()), site)->explanation;
  };
  EXPECT_THAT(explain("tyo", ThirdPod(), {}), HasSubstr("hk-tyo (not measured, 39."));
  Links bad = Lab().State("hk", "sg", LinkState::kDegraded, LinkReason::kLossReverse);
  EXPECT_THAT(explain("sg", ThirdPod(), bad.Snapshot()), HasSubstr("Degraded by loss_reverse"));
  bad.State("hk", "sg", LinkState::kDown, LinkReason::kNoReply);
  EXPECT_THAT(explain("sg", ThirdPod(), bad.Snapshot()), HasSubstr("hk-sg (Down"));
  PlacementRequest roomy = ThirdPod();
  roomy.candidate_sites = {"hk"};
  EXPECT_THAT(explain("hk", roomy, Lab().Snapshot()), HasSubstr("3 in hk, no line between sites"));
}

}  // namespace
}  // namespace fairlead::extender
