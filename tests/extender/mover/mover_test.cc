#include "extender/mover/mover.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <csignal>

#include "tests/extender/migration_round/cluster_of_gangs.h"
#include "tests/extender/moves_in_hand/pretend_jobs.h"
#include "tests/extender/relocation_api/fake_job_api.h"

namespace fairlead::extender {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

// Keeps what is told, and lets a test wait for it.
class AwaitedEvents final : public EventSink {
 public:
  bool Tell(ClusterEvent event) override {
    {
      const std::lock_guard lock(mutex_);
      reasons_.push_back(event.reason);
    }
    told_.notify_all();
    return true;
  }
  std::vector<std::string> Await(const std::string& reason) {
    std::unique_lock lock(mutex_);
    told_.wait(lock, [&] { return std::ranges::find(reasons_, reason) != reasons_.end(); });
    return reasons_;
  }
  bool Has(const std::string& reason) {
    const std::lock_guard lock(mutex_);
    return std::ranges::find(reasons_, reason) != reasons_.end();
  }
  std::vector<std::string> Told() {
    const std::lock_guard lock(mutex_);
    return reasons_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable told_;
  std::vector<std::string> reasons_;
};

// The Job "train" of two pods of FakeJobApi, seen by a watch that keeps up.
class MoverTest : public testing::Test {
 protected:
  MoverTest() {
    std::signal(SIGPIPE, SIG_IGN);
    Show();
  }
  ~MoverTest() override {
    if (mover_) mover_->Stop();
  }

  // What the API server has is what the watch shows.
  void Show() {
    ClusterOfGangs cluster;
    BatchJob job;
    job.namespace_name = "ml";
    job.name = "train";
    job.uid = "u1";
    job.parallelism = 2;
    const auto annotations = api_.job()["metadata"]["annotations"];
    job.moves = RecordedMoves(annotations.value("fairlead.dev/moves", ""));
    job.suspended = api_.job()["spec"]["suspend"];
    cluster.state.Upsert(std::move(job));
    for (const std::uint32_t rank : {0U, 1U}) {
      ClusterPod pod = ClusterOfGangs::Member("train", rank, rank == 0 ? "hk1" : "sg1");
      pod.gang->key.id = "u1";
      pod.controller.uid = "u1";
      cluster.state.Upsert(std::move(pod));
    }
    view_.Publish(cluster.state.Publish({}));
  }
  void Start(const std::string& process = "p1") {
    auto connection = kube::ApiConnection::Create(api_.access(), "test/1", clock_, kMoveLimits);
    mover_ = std::make_unique<Mover>(
        MoverSources{
            .config = config_, .cluster = view_, .leadership = leadership_, .clock = clock_},
        MoveClient(*std::move(connection), clock_), events_, process);
  }
  void Decide(MigrationReason reason) {
    mover_->RoundMade(std::make_shared<const MigrationReport>(
        RoundAbout(++rounds_, clock_.Now(), {{kGang, reason}})));
  }
  // Controllers and the watch go on until then.
  std::vector<std::string> ControlUntil(const std::string& reason) {
    while (!events_.Has(reason)) {
      api_.Control("tyo");
      Show();
      Decide(MigrationReason::kMoving);
      std::this_thread::yield();
    }
    return events_.Told();
  }

  const GangKey kGang{"job", "ml", "u1", {}};
  const SystemClock clock_;
  FakeJobApi api_;
  Snapshot<Config> config_;
  Snapshot<ClusterView> view_;
  Snapshot<Leadership> leadership_{Leadership::Standalone()};
  AwaitedEvents events_;
  std::uint64_t rounds_ = 0;
  std::unique_ptr<Mover> mover_;
};

TEST_F(MoverTest, CarriesOutWhatIsDecided) {
  Start();
  Decide(MigrationReason::kMove);
  events_.Await("MigrationStarted");
  EXPECT_THAT(ControlUntil("MigrationDone"), ElementsAre("MigrationStarted", "MigrationStopping",
                                                         "MigrationRestarted", "MigrationDone"));
  EXPECT_EQ(api_.changes(), 4) << "record, suspend, resume, closed";
  mover_->Stop();
  const auto report = mover_->report().Get();
  EXPECT_TRUE(report->acts);
  EXPECT_THAT(report->open, IsEmpty());
  EXPECT_EQ(report->outcomes.at({LeverKind::kSuspend, "done"}), 1U);
}

// Whoever dies right after the last write has said what became of the gang.
TEST_F(MoverTest, TheEndIsToldBeforeItIsRecorded) {
  Start();
  Decide(MigrationReason::kMove);
  events_.Await("MigrationStarted");
  ControlUntil("MigrationDone");
  const std::string name = "train.move-1-done." + PodPrint("u1");
  EXPECT_THAT(api_.events(), ElementsAre(Pair(name, 3)));
  mover_->Stop();
  EXPECT_EQ(mover_->report().Get()->calls.at({"tell", CallResult::kDone}), 1U);
}

TEST_F(MoverTest, WhoDoesNotLeadMovesNothing) {
  leadership_.Publish({});
  Start();
  Decide(MigrationReason::kMove);
  leadership_.Publish(Leadership{
      .leading = true, .term = 1, .holder = "p1", .until = clock_.Now() - Nanoseconds(1)});
  Decide(MigrationReason::kMove);
  mover_->Stop();
  EXPECT_EQ(api_.changes(), 0);
  EXPECT_FALSE(mover_->report().Get()->acts);
}

TEST_F(MoverTest, AnotherProcessFinishesWhatWasLeftOpen) {
  Start();
  Decide(MigrationReason::kMove);
  events_.Await("MigrationStarted");
  while (api_.changes() < 2) {
    Show();
    Decide(MigrationReason::kMoving);
    std::this_thread::yield();
  }
  leadership_.Publish({});
  mover_->Stop();
  leadership_.Publish(Leadership::Standalone());
  Show();
  Start("p2");
  ControlUntil("MigrationDone");
  EXPECT_EQ(api_.changes(), 4) << "record, suspend, resume, closed, each once";
}

TEST_F(MoverTest, StopsWhileARequestIsNotAnswered) {
  Start();
  api_.FallSilent();
  Decide(MigrationReason::kMove);
  api_.AwaitSilence();
  mover_->Stop();
  EXPECT_EQ(api_.changes(), 0);
}

}  // namespace
}  // namespace fairlead::extender
