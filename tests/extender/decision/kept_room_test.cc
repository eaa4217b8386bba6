#include "extender/decision/kept_room.h"

#include <gmock/gmock.h>

#include <map>
#include <random>

#include "extender/cluster/cluster_state.h"
#include "tests/extender/decision/three_sites.h"

namespace fairlead::extender {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// Two Jobs of two pods, m and o, each pod with one HCA, of which each node has one. m is being
// moved from hk and sg to tyo, which has room for one gang; hk and sg have room for none besides m.
class KeptRoomTest : public DeciderTest {
 protected:
  KeptRoomTest() {
    clock_.wall_ = WallTime(Seconds(1'796'000'000));
    for (const std::string_view node : kAll) {
      ClusterNode facts;
      facts.name = node;
      facts.pods = 10;
      facts.allocatable.extended["rdma/hca"] = node == "hk2" || node == "sg2" ? 0 : 1;
      facts.labels = LabelSet{{"site", node.substr(0, node.size() - 1)}};
      state_.Upsert(std::move(facts));
    }
    ShowJob("m");
    ShowJob("o");
    Bind("m", 0, "hk1");
    Bind("m", 1, "sg1");
    Move(MoveStep::kIntended);
  }

  static PodFacts Pod(const std::string& job, int index) {
    PodFacts pod;
    pod.namespace_name = "ml";
    pod.name = job + "-" + std::to_string(index);
    pod.uid = "uid-" + pod.name;
    pod.labels = {{"batch.kubernetes.io/controller-uid", job},
                  {"batch.kubernetes.io/job-name", job}};
    pod.annotations = {{"fairlead.dev/comm-bytes", "1kB"}};
    pod.owners = {{.kind = "Job", .name = job, .uid = job, .controller = true}};
    pod.requests = {{"rdma/hca", 1}};
    return pod;
  }
  void ShowJob(const std::string& name, std::string moves = {}) {
    BatchJob job;
    job.namespace_name = "ml";
    job.name = name;
    job.uid = name;
    job.parallelism = 2;
    job.moves = RecordedMoves(std::move(moves));
    state_.Upsert(std::move(job));
    cluster_.Publish(state_.Publish({}));
  }
  void Bind(const std::string& job, int index, const std::string& node) {
    ClusterPod pod;
    pod.uid = Pod(job, index).uid;
    pod.namespace_name = "ml";
    pod.name = Pod(job, index).name;
    pod.node = node;
    pod.needs.requests.extended["rdma/hca"] = 1;
    pod.gang = RecogniseGang(Pod(job, index));
    pod.controller = Pod(job, index).owners[0];
    state_.Upsert(std::move(pod));
    cluster_.Publish(state_.Publish({}));
  }
  void End(const std::string& job, int index) {
    state_.RemovePod(Pod(job, index).uid);
    cluster_.Publish(state_.Publish({}));
  }
  // The move of m comes to this step, now.
  void Move(MoveStep step, std::string by = "") {
    record_ = {.number = 1,
               .step = step,
               .began = clock_.wall_,
               .since = clock_.wall_,
               .from = {{"hk", 1}, {"sg", 1}},
               .to = {{"tyo", 2}},
               .left = {{"hk", "sg"}},
               .by = std::move(by)};
    ShowJob("m", WriteMoves({record_, {}}));
    MovesReport report;
    if (record_.open()) report.open.push_back(Open("m", record_));
    moves_.Publish(std::move(report));
  }
  static OpenMoveReport Open(const std::string& job, const MoveRecord& record) {
    return {
        .gang = RecogniseGang(Pod(job, 0))->key, .number = 1, .to = {{"tyo", 2}}, .record = record};
  }
  void Pass(Nanoseconds span) {
    clock_.now_ += span;
    clock_.wall_ += span;
  }
  std::vector<std::string> Allowed(const std::string& job, int index,
                                   std::vector<std::string_view> names = kAll) {
    last_ = mover_.Filter(Pod(job, index), Offer(names));
    std::vector<std::string> allowed;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (last_.why_not[i] == 0) allowed.emplace_back(names[i]);
    }
    return allowed;
  }
  SiteCounts RoomOf(const std::string& job) {
    const auto view = cluster_.Get();
    return mover_.RoomOfWhole(*view->FindGang(RecogniseGang(Pod(job, 0))->key), view).room;
  }

  inline static const std::vector<std::string_view> kAll{"hk1", "hk2",  "sg1",
                                                         "sg2", "tyo1", "tyo2"};
  ClusterState state_{"site"};
  MoveRecord record_;
  Snapshot<MovesReport> moves_;
  Decider mover_{{setup_, cluster_, links_, leadership_, clock_, &moves_}, log_, events_};
  FilterDecision last_;
};

TEST_F(KeptRoomTest, AnotherGangWaitsFromTheDecisionOn) {
  OpenMoveReport decided = Open("m", {});
  MovesReport report;
  report.open.push_back(decided);
  moves_.Publish(report);
  EXPECT_THAT(Allowed("o", 0, {"tyo1", "tyo2"}), IsEmpty());
  ASSERT_EQ(last_.refusals.size(), 1);
  EXPECT_FALSE(last_.refusals[0].final);
  EXPECT_THAT(last_.refusals[0].sentence,
              HasSubstr("site tyo: its room is kept for gang job ml/m"));
  EXPECT_THAT(last_.refusals[0].sentence, HasSubstr("which move 1 of it brings there"));
}

TEST_F(KeptRoomTest, BetweenTheLastOldPodAndTheFirstNewOneToo) {
  RoomOf("m");  // as each round asks, while its pods are there
  Move(MoveStep::kStop, "p1");
  End("m", 0);
  End("m", 1);
  EXPECT_THAT(Allowed("o", 0, {"tyo1", "tyo2"}), IsEmpty());
  Move(MoveStep::kFollow, "p1");
  EXPECT_THAT(Allowed("o", 0, {"tyo1", "tyo2"}), IsEmpty());
  EXPECT_THAT(Allowed("m", 2), ElementsAre("tyo1", "tyo2"));
  // What m has left is anybody's.
  EXPECT_THAT(Allowed("o", 0, {"hk1", "sg1", "tyo1", "tyo2"}), ElementsAre("hk1"));
}

TEST_F(KeptRoomTest, UntilTheMoveEndsOrItsPodsHaveWaitedInVain) {
  Move(MoveStep::kFollow, "p1");
  Pass(Seconds(299));
  EXPECT_THAT(Allowed("o", 0, {"tyo1", "tyo2"}), IsEmpty());
  Pass(Seconds(1));
  EXPECT_THAT(Allowed("o", 0, {"tyo1", "tyo2"}), ElementsAre("tyo1", "tyo2"));
  Move(MoveStep::kClosed);
  EXPECT_THAT(Allowed("o", 1, {"tyo1", "tyo2"}), ElementsAre("tyo1", "tyo2"));
}

TEST_F(KeptRoomTest, NoOtherDecisionCountsOnIt) {
  Bind("o", 0, "hk1");
  EXPECT_EQ(RoomOf("o")["tyo"], 0);
  EXPECT_EQ(RoomOf("m")["tyo"], 2);
  // Of two that want it the earlier one finds it, so that they do not both give up.
  MovesReport report = *moves_.Get();
  MoveRecord later = record_;
  later.began += Seconds(1);
  report.open.push_back(Open("o", later));
  moves_.Publish(report);
  EXPECT_EQ(RoomOf("o")["tyo"], 0);
  EXPECT_EQ(RoomOf("m")["tyo"], 2);
  report.open[1].record.step = MoveStep::kStop;
  report.open[1].record.by = "p1";
  moves_.Publish(report);
  EXPECT_EQ(RoomOf("o")["tyo"], 2);
  EXPECT_EQ(RoomOf("m")["tyo"], 0);
}

TEST_F(KeptRoomTest, WhatOneOfItsMembersHasTakenIsKeptNoMore) {
  Move(MoveStep::kFollow, "p1");
  End("m", 0);
  End("m", 1);
  Bind("m", 2, "tyo1");
  EXPECT_THAT(Allowed("o", 0, {"tyo2"}), IsEmpty());
  Bind("m", 3, "tyo2");
  Allowed("o", 0);
  for (const NodeRefusal& refusal : last_.refusals) {
    EXPECT_THAT(refusal.sentence, Not(HasSubstr("is kept for gang")));
  }
}

// Whatever is asked, bound, ended or told in whichever order: while the move is on its way, o never
// gets room that m's members, those there and those to come, need.
TEST_F(KeptRoomTest, TwoGangsAndOneRoom) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    const auto one_of = [&](int count) { return static_cast<int>(random() % count); };
    for (int i = 0; i < 8; ++i) {
      End("m", i);
      End("o", i);
    }
    std::map<std::string, std::pair<std::string, int>> on;  // node: job, index
    const auto bind = [&](const std::string& job, int index, const std::string& node) {
      on[node] = {job, index};
      Bind(job, index, node);
    };
    const auto there = [&](const std::string& job) {
      return std::ranges::count_if(on, [&](const auto& entry) {
        return entry.second.first == job && entry.first.starts_with("tyo");
      });
    };
    bind("m", 0, "hk1");
    bind("m", 1, "sg1");
    Move(MoveStep::kIntended);
    RoomOf("m");
    int next = 2;
    bool stopped = false;
    for (int step = 0; step < 40; ++step) {
      Pass(Seconds(one_of(3)));
      switch (one_of(5)) {
        case 0: {
          const int index = one_of(2);
          const auto allowed = Allowed("o", index);
          const bool known = std::ranges::any_of(on, [&](const auto& entry) {
            return entry.second == std::pair(std::string("o"), index);
          });
          for (const std::string& node : allowed) {
            if (known || on.contains(node) || node == "hk2" || node == "sg2") continue;
            bind("o", index, node);
            break;
          }
          break;
        }
        case 1:
          Allowed("o", one_of(2), {kAll[4], kAll[5]});
          break;
        case 2:
          if (!stopped) Move(MoveStep::kStop, "p1");
          stopped = true;
          break;
        case 3:
          if (stopped && (on.contains("hk1") || on.contains("sg1"))) {
            for (const std::string node : {"hk1", "sg1"}) {
              if (!on.contains(node) || on[node].first != "m") continue;
              End("m", on[node].second);
              on.erase(node);
            }
            Move(MoveStep::kFollow, "p1");
          }
          break;
        case 4: {
          if (record_.step != MoveStep::kFollow || next > 3) break;
          for (const std::string& node : Allowed("m", next)) {
            if (on.contains(node)) continue;
            bind("m", next, node);
            ++next;
            break;
          }
          break;
        }
      }
      ASSERT_EQ(there("o"), 0) << "step " << step;
    }
  }
}

}  // namespace
}  // namespace fairlead::extender
