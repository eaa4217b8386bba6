#include <gmock/gmock.h>

#include <algorithm>
#include <deque>
#include <iterator>
#include <tuple>

#include "extender/link/link_aggregate.h"
#include "tests/extender/sample/links.h"

namespace fairlead::extender {
namespace {

using sample::Judged;
using sample::Path;
using ::testing::HasSubstr;

struct Verdict {
  std::string node;
  std::string peer;
  LinkState state;
  LinkReason reason = LinkReason::kNone;
  std::uint32_t path = 0;
  bool bad_node = false;
};

LinkView Judge(const std::vector<Verdict>& verdicts, std::uint32_t quorum) {
  std::deque<PathReport> reports;
  std::vector<FreshPath> paths;
  for (const Verdict& v : verdicts) {
    reports.push_back(Judged(Path(v.peer, "sg", 36), v.state, v.reason));
    reports.back().path = v.path;
    paths.push_back({&v.node, &reports.back(), Seconds(0), v.bad_node});
  }
  LinkView view;
  view.quorum = quorum;
  JudgeByQuorum(paths, view);
  return view;
}

constexpr auto kUnknown = LinkState::kUnknown;
constexpr auto kHealthy = LinkState::kHealthy;
constexpr auto kSuspect = LinkState::kSuspect;
constexpr auto kDegraded = LinkState::kDegraded;
constexpr auto kDown = LinkState::kDown;

struct QuorumCase {
  const char* name;
  std::vector<Verdict> verdicts;
  std::uint32_t quorum;
  LinkState expected;
};

class Quorum : public ::testing::TestWithParam<QuorumCase> {};

TEST_P(Quorum, Decides) {
  EXPECT_EQ(Judge(GetParam().verdicts, GetParam().quorum).state, GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, Quorum,
    ::testing::Values(
        QuorumCase{"nothing", {}, 2, kUnknown},
        QuorumCase{
            "unknown_is_no_verdict", {{"a", "p", kUnknown}, {"b", "p", kUnknown}}, 2, kUnknown},
        QuorumCase{"one_of_one", {{"a", "p", kDegraded}}, 1, kDegraded},
        QuorumCase{"one_of_two", {{"a", "p", kDegraded}, {"b", "p", kHealthy}}, 2, kSuspect},
        QuorumCase{"one_alone_of_two", {{"a", "p", kDown}}, 2, kSuspect},
        QuorumCase{"one_alone_healthy", {{"a", "p", kHealthy}}, 2, kHealthy},
        QuorumCase{"two_of_three",
                   {{"a", "p", kDegraded}, {"b", "p", kHealthy}, {"c", "p", kDegraded}},
                   2,
                   kDegraded},
        QuorumCase{"worst_that_both_see", {{"a", "p", kDown}, {"b", "p", kDegraded}}, 2, kDegraded},
        QuorumCase{"both_down", {{"a", "p", kDown}, {"b", "p", kDown}}, 2, kDown},
        QuorumCase{"unknown_does_not_outvote",
                   {{"a", "p", kDegraded}, {"b", "p", kUnknown}},
                   1,
                   kDegraded},
        QuorumCase{"one_bad_peer_of_three",
                   {{"a", "p", kDown}, {"a", "q", kHealthy}, {"a", "r", kHealthy}},
                   1,
                   kHealthy},
        QuorumCase{"one_bad_path_to_the_only_peer",
                   {{"a", "p", kHealthy}, {"a", "p", kDegraded, LinkReason::kRttStep, 1}},
                   1,
                   kDegraded},
        QuorumCase{"a_bad_node_has_no_vote",
                   {{"a", "p", kDown, LinkReason::kNoReply, 0, true}, {"b", "p", kHealthy}},
                   1,
                   kHealthy},
        QuorumCase{"zero_quorum_counts_as_one", {{"a", "p", kDegraded}}, 0, kDegraded}),
    [](const auto& test) { return test.param.name; });

TEST(JudgeByQuorum, SpeaksTheReasonOfTheMajority) {
  const LinkView view = Judge({{"a", "p", kDegraded, LinkReason::kRttStep},
                               {"b", "p", kDegraded, LinkReason::kLossForward},
                               {"c", "p", kDegraded, LinkReason::kLossForward}},
                              2);
  EXPECT_EQ(view.reason, LinkReason::kLossForward);
  EXPECT_THAT(view.evidence, HasSubstr("because of loss_forward"));
  EXPECT_THAT(view.evidence, HasSubstr("3 of 3 probing nodes agree"));
  EXPECT_EQ(view.agreeing, 3U);
  EXPECT_EQ(view.probers, 3U);
}

TEST(JudgeByQuorum, ALoneBadVerdictSaysThatItIsAlone) {
  const LinkView view = Judge({{"a", "p", kHealthy}, {"b", "p", kDown, LinkReason::kNoReply}}, 2);
  EXPECT_EQ(view.state, kSuspect);
  EXPECT_EQ(view.reason, LinkReason::kNoReply);
  EXPECT_THAT(view.evidence, HasSubstr("seen Down by fewer than the 2 probing nodes needed"));
}

TEST(JudgeByQuorum, ALinkThatNobodyJudgesSaysWhatKeepsThem) {
  EXPECT_EQ(Judge({}, 2).reason, LinkReason::kNoData);
  const std::vector<Verdict> verdicts{{"a", "p", kUnknown, LinkReason::kNoData},
                                      {"b", "p", kUnknown, LinkReason::kLearning}};
  for (const auto& order : {verdicts, {verdicts.rbegin(), verdicts.rend()}}) {
    const LinkView view = Judge(order, 2);
    EXPECT_EQ(view.state, kUnknown);
    EXPECT_EQ(view.reason, LinkReason::kLearning);
    EXPECT_THAT(view.evidence, HasSubstr("learning"));
    EXPECT_EQ(view.probers, 0U);
  }
  EXPECT_EQ(Judge({verdicts.front()}, 2).reason, LinkReason::kNoData);
  EXPECT_EQ(Judge({{"a", "p", kUnknown, LinkReason::kLearning, 0, true}}, 2).reason,
            LinkReason::kNoData)
      << "a bad node has no say";
  EXPECT_EQ(Judge({verdicts.back(), {"c", "p", kHealthy}}, 2).reason, LinkReason::kNone)
      << "a verdict outweighs those that have none";
}

TEST(JudgeByQuorum, TheOrderOfReportsDoesNotMatter) {
  std::vector<Verdict> verdicts{{"a", "p", kDegraded, LinkReason::kRttStep},
                                {"b", "p", kSuspect, LinkReason::kFluctuation},
                                {"b", "q", kHealthy},
                                {"c", "p", kDown, LinkReason::kNoReply}};
  const LinkView first = Judge(verdicts, 2);
  const auto less = [](const Verdict& x, const Verdict& y) {
    return std::tie(x.node, x.peer) < std::tie(y.node, y.peer);
  };
  while (std::next_permutation(verdicts.begin(), verdicts.end(), less)) {
    const LinkView view = Judge(verdicts, 2);
    EXPECT_EQ(view.state, first.state);
    EXPECT_EQ(view.reason, first.reason);
    EXPECT_EQ(view.evidence, first.evidence);
  }
  EXPECT_EQ(first.state, kDegraded);
}

}  // namespace
}  // namespace fairlead::extender
