// What probes get from a replica that leads, follows, and changes from one to the other.
#include <gmock/gmock.h>

#include <condition_variable>
#include <mutex>
#include <vector>

#include "extender/cluster/standalone.h"
#include "extender/registry/plan_codec.h"
#include "extender/registry/registry_loop.h"
#include "tests/extender/registry/counted_reports.h"

namespace fairlead::extender {
namespace {

class RecordingLine final : public ProbeLine {
 public:
  void SendPlan(const NodePlan& plan) override {
    {
      std::lock_guard lock(mutex_);
      plans_.push_back(plan);
    }
    changed_.notify_all();
  }
  void Close(const Error&) override {}
  bool closed() const override { return false; }

  // The plan with that place in their order, from 0; one with revision 0 where none comes.
  NodePlan Plan(std::size_t place) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::seconds(60), [&] { return plans_.size() > place; });
    return plans_.size() > place ? plans_[place] : NodePlan{};
  }
  std::size_t count() {
    std::lock_guard lock(mutex_);
    return plans_.size();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<NodePlan> plans_;
};

Setup TwoNodes() {
  Config config;
  config.sites = {{.name = "hk", .coordinates = std::nullopt},
                  {.name = "sg", .coordinates = std::nullopt}};
  config.nodes = {{.name = "n1", .site = "hk", .hcas = 1}, {.name = "n2", .site = "sg", .hcas = 1}};
  return MakeSetup(config, StandaloneView(config.nodes).names());
}

class LeadershipTest : public testing::Test {
 protected:
  void Join(const std::string& node, const std::string& site, std::shared_ptr<RecordingLine> line) {
    EXPECT_TRUE(loop_.Joined({.protocol_version = kProtocolVersion,
                              .node = node,
                              .site = site,
                              .epoch = 1,
                              .session_address = "127.0.0.1:1",
                              .has_hca = true,
                              .software_version = "test"},
                             std::move(line)));
  }
  // Both are there, and have been told that it follows.
  void JoinBoth() {
    Join("n1", "hk", first_);
    Join("n2", "sg", second_);
    EXPECT_TRUE(first_->Plan(0).follows);
    EXPECT_TRUE(second_->Plan(0).follows);
  }
  void Lead(std::uint64_t term, MonotonicTime until = MonotonicTime::max()) {
    leadership_.Publish({.leading = true, .term = term, .holder = "me", .until = until});
  }
  void Follow(std::uint64_t term) {
    leadership_.Publish({.leading = false, .term = term, .holder = "other", .until = {}});
  }

  const SystemClock clock_;
  CountedReports counts_;
  Snapshot<extender::Setup> setup_{TwoNodes()};
  Snapshot<LinkSnapshot> links_;
  Snapshot<RegistryStatus> status_;
  Snapshot<Leadership> leadership_;
  RegistryLoop loop_{setup_, clock_, counts_, links_, status_, &leadership_};
  const std::shared_ptr<RecordingLine> first_ = std::make_shared<RecordingLine>();
  const std::shared_ptr<RecordingLine> second_ = std::make_shared<RecordingLine>();
};

TEST_F(LeadershipTest, AFollowerSaysSoAndMakesNoPlan) {
  Follow(4);
  JoinBoth();
  const NodePlan said = first_->Plan(0);
  EXPECT_TRUE(said.follows);
  EXPECT_TRUE(said.peers.empty());
  EXPECT_TRUE(EncodePlan(said).follows());
  EXPECT_EQ(EncodePlan(said).revision(), 0U) << "probes that know nothing of terms refuse it";
}

TEST_F(LeadershipTest, PlansFollowTheTermAndEndWithIt) {
  JoinBoth();
  Lead(5);
  const NodePlan plan = first_->Plan(1);
  EXPECT_FALSE(plan.follows);
  EXPECT_EQ(plan.term, 5U);
  EXPECT_EQ(plan.peers.size(), 1U);
  EXPECT_EQ(EncodePlan(plan).term(), 5U);
  EXPECT_EQ(second_->Plan(1).peers.front().key, plan.peers.front().key);
  Follow(6);
  EXPECT_TRUE(first_->Plan(2).follows);
  EXPECT_EQ(first_->Plan(2).term, 6U);
  Lead(7);
  const NodePlan again = first_->Plan(3);
  EXPECT_EQ(again.term, 7U);
  EXPECT_GT(again.revision, plan.revision);
  EXPECT_EQ(first_->count(), 4U) << "one for each change";
}

TEST_F(LeadershipTest, ATermThatIsOverIsNoLeadershipThoughNobodySaysSo) {
  JoinBoth();
  Lead(5);
  EXPECT_FALSE(first_->Plan(1).follows);
  Lead(5, clock_.Now());
  EXPECT_TRUE(first_->Plan(2).follows);
}

TEST_F(LeadershipTest, ATermThatChangesWhileItLeadsIsTold) {
  JoinBoth();
  Lead(5);
  EXPECT_EQ(first_->Plan(1).term, 5U);
  Lead(8);
  EXPECT_EQ(first_->Plan(2).term, 8U);
  EXPECT_EQ(first_->Plan(2).peers, first_->Plan(1).peers);
}

}  // namespace
}  // namespace fairlead::extender
