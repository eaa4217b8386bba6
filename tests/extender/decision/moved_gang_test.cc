#include <gmock/gmock.h>

#include "extender/cluster/cluster_state.h"
#include "tests/extender/decision/three_sites.h"

namespace fairlead::extender {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A Job of two pods that left line hk-sg for tyo, as the record of its moves on the Job says.
class MovedGang : public DeciderTest {
 protected:
  MovedGang() {
    clock_.wall_ = WallTime(Seconds(1'796'000'000));
    record_ = {.number = 1,
               .step = MoveStep::kFollow,
               .began = clock_.wall_,
               .since = clock_.wall_,
               .from = {{"hk", 1}, {"sg", 1}},
               .to = {{"tyo", 2}},
               .left = {{"hk", "sg"}},
               .by = "p1"};
    for (const std::string_view node : kAll) {
      ClusterNode facts;
      facts.name = node;
      facts.pods = 10;
      facts.allocatable.extended["rdma/hca"] = 1;
      facts.labels = LabelSet{{"site", node.substr(0, node.size() - 1)}};
      state_.Upsert(std::move(facts));
    }
    Show();
  }
  void Show() {
    BatchJob job;
    job.namespace_name = "ml";
    job.name = "train";
    job.uid = "job-1";
    job.parallelism = 2;
    job.moves = RecordedMoves(WriteMoves({record_, {}}));
    state_.Upsert(std::move(job));
    cluster_.Publish(state_.Publish({}));
  }
  void Bind(int index, const std::string& node) {
    ClusterPod pod;
    pod.uid = Member(index).uid;
    pod.namespace_name = "ml";
    pod.name = Member(index).name;
    pod.node = node;
    pod.needs.requests.extended["rdma/hca"] = 1;
    pod.gang = RecogniseGang(Member(index));
    pod.controller = Member(index).owners[0];
    state_.Upsert(std::move(pod));
    cluster_.Publish(state_.Publish({}));
  }
  void Pass(Nanoseconds span) {
    clock_.now_ += span;
    clock_.wall_ += span;
  }
  std::vector<std::string> Allowed(int member, std::vector<std::string_view> names = kAll) {
    const FilterDecision decision = decider_.Filter(Member(member), Offer(names));
    std::vector<std::string> allowed;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (decision.why_not[i] == 0) allowed.emplace_back(names[i]);
    }
    return allowed;
  }

  inline static const std::vector<std::string_view> kAll{"hk1", "hk2",  "sg1",
                                                         "sg2", "tyo1", "tyo2"};
  ClusterState state_{"site"};
  MoveRecord record_;
};

TEST_F(MovedGang, GoesWhereItsMoveGoes) {
  EXPECT_THAT(Allowed(0), ElementsAre("tyo1", "tyo2"));
  EXPECT_THAT(log_.Newest().front()->notes,
              Contains("move 1 of its gang is under way, to 2 in tyo"));
  Bind(0, "tyo1");
  EXPECT_THAT(Allowed(1), ElementsAre("tyo1", "tyo2"));
  const std::vector<double> scores = decider_.Prioritize(Member(1), Offer({"hk1", "tyo2"}));
  EXPECT_LT(scores[0], scores[1]);
}

TEST_F(MovedGang, APlanOfBeforeTheMoveIsOver) {
  record_.step = MoveStep::kIntended;
  record_.by.clear();
  Show();
  EXPECT_THAT(Allowed(0), ElementsAre("hk1", "hk2"));
  record_.step = MoveStep::kFollow;
  record_.by = "p1";
  Show();
  EXPECT_THAT(Allowed(0), ElementsAre("tyo1", "tyo2"));
}

TEST_F(MovedGang, WaitsWhereNoNodeOfItsPlaceIsOfferedUntilPatienceEnds) {
  EXPECT_THAT(Allowed(0, {"hk1", "hk2"}), IsEmpty());
  Pass(Seconds(299));
  EXPECT_THAT(Allowed(0, {"hk1", "sg1"}), IsEmpty());
  Pass(Seconds(1));
  EXPECT_THAT(Allowed(0, {"hk1", "hk2"}), ElementsAre("hk1", "hk2"));
}

// Eight evicted pods come back after 600 s, some of them half a minute after the others.
TEST_F(MovedGang, ThatWasEvictedHoldsItsPlaceUntilItsControllerMakesThePodsAnew) {
  record_.lever = LeverKind::kEvict;
  record_.members = {PodPrint("old-0"), PodPrint("old-1")};
  Show();
  Pass(Seconds(605));
  EXPECT_THAT(Allowed(0), ElementsAre("tyo1", "tyo2"));
  Bind(0, "tyo1");
  Pass(Seconds(90));
  EXPECT_THAT(Allowed(1, {"hk1", "sg1"}), IsEmpty());
  EXPECT_THAT(Allowed(1), ElementsAre("tyo1", "tyo2"));
  Pass(Seconds(206));
  EXPECT_THAT(Allowed(1, {"hk1", "sg1"}), ElementsAre("hk1"));
}

TEST_F(MovedGang, MembersOfBeforeDoNotCount) {
  record_.step = MoveStep::kStop;
  record_.lever = LeverKind::kEvict;
  record_.from = {{"hk", 2}};
  record_.to = {{"hk", 1}, {"tyo", 1}};
  record_.members = {PodPrint(Member(0).uid), PodPrint(Member(1).uid)};
  Show();
  Bind(0, "hk1");
  Bind(1, "hk2");
  EXPECT_THAT(Allowed(5, {"tyo1", "tyo2"}), ElementsAre("tyo1", "tyo2"));
  EXPECT_THAT(Allowed(6, {"hk1", "hk2"}), ElementsAre("hk1", "hk2"));
}

TEST_F(MovedGang, AJobThatGrewMeanwhileIsPlannedAnew) {
  BatchJob job;
  job.namespace_name = "ml";
  job.name = "train";
  job.uid = "job-1";
  job.parallelism = 3;
  job.moves = RecordedMoves(WriteMoves({record_, {}}));
  state_.Upsert(std::move(job));
  cluster_.Publish(state_.Publish({}));
  EXPECT_THAT(Allowed(0, {"hk1", "hk2"}), ElementsAre("hk1", "hk2"));
}

// With room for one in each site, the nearest line would be hk-sg.
TEST_F(MovedGang, NoPlanCrossesALineThatWasLeftWhileItIsExcluded) {
  record_.step = MoveStep::kClosed;
  record_.outcome = MoveOutcome::kDone;
  Show();
  const std::vector<std::string_view> one_each{"hk1", "sg1", "tyo1"};
  for (const std::string_view node : {"hk2", "sg2", "tyo2"}) {
    ClusterNode full;
    full.name = node;
    full.pods = 0;
    full.labels = LabelSet{{"site", node.substr(0, node.size() - 1)}};
    state_.Upsert(std::move(full));
  }
  cluster_.Publish(state_.Publish({}));
  Allowed(0, one_each);
  EXPECT_THAT(log_.Newest().front()->plan, HasSubstr("1 in hk, 1 in tyo"));
  Pass(Seconds(6 * 3600));
  Allowed(0, one_each);
  EXPECT_THAT(log_.Newest().front()->plan, HasSubstr("1 in hk, 1 in sg"));
}

// What the watch does not show of a JobSet, who carries out its move knows.
TEST_F(MovedGang, TheRecordOfAnOwnerThatIsNotFollowedBindsToo) {
  BatchJob job;
  job.namespace_name = "ml";
  job.name = "train";
  job.uid = "job-1";
  job.parallelism = 2;
  job.controller = {.kind = "JobSet", .name = "set", .uid = "s1", .controller = true};
  state_.Upsert(std::move(job));
  cluster_.Publish(state_.Publish({}));
  Snapshot<MovesReport> moves;
  Decider decider({setup_, cluster_, links_, leadership_, clock_, &moves}, log_, events_);
  const auto first = [&] {
    return decider.Filter(Member(0), Offer({"hk1", "tyo1"})).why_not[0] == 0 ? "hk" : "tyo";
  };
  EXPECT_STREQ(first(), "hk");
  MovesReport report;
  report.records["s1"] = RecordedMoves(WriteMoves({record_, {}}));
  moves.Publish(report);
  EXPECT_STREQ(first(), "tyo");
}

// All its pods have ended, and nothing else shows it: the one that is asked about names its owner.
TEST_F(MovedGang, WhichTheWatchDoesNotShowGoesByTheRecordOfItsPodsOwner) {
  state_.RemoveJob("job-1");
  cluster_.Publish(state_.Publish({}));
  ASSERT_EQ(cluster_.Get()->FindGang(RecogniseGang(Member(0))->key), nullptr);
  Snapshot<MovesReport> moves;
  Decider decider({setup_, cluster_, links_, leadership_, clock_, &moves}, log_, events_);
  MovesReport report;
  report.records["job-1"] = RecordedMoves(WriteMoves({record_, {}}));
  moves.Publish(report);
  const FilterDecision decision = decider.Filter(Member(0), Offer({"hk1", "tyo1"}));
  EXPECT_NE(decision.why_not[0], 0);
  EXPECT_EQ(decision.why_not[1], 0);
}

TEST_F(MovedGang, ARecordThatCannotBeReadBindsNothing) {
  BatchJob job;
  job.namespace_name = "ml";
  job.name = "train";
  job.uid = "job-1";
  job.parallelism = 2;
  job.moves = RecordedMoves("move: 1");
  state_.Upsert(std::move(job));
  cluster_.Publish(state_.Publish({}));
  EXPECT_THAT(Allowed(0), ElementsAre("hk1", "hk2"));
}

}  // namespace
}  // namespace fairlead::extender
