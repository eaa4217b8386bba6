#include "deviceplugin/node/node_loop.h"

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>

namespace fairlead::deviceplugin {
namespace {

using testing::ElementsAre;

Hca Rxe(const std::string& name, bool up) {
  Hca hca;
  hca.name = name;
  hca.driver = "rxe";
  hca.protocol = RdmaProtocol::kInfiniband;
  hca.uverbs = "uverbs0";
  HcaPort port;
  port.link_layer = LinkLayer::kInfiniband;
  port.state = up ? PortState::kActive : PortState::kDown;
  port.physical_state = PhysicalState::kLinkUp;
  hca.ports = {port};
  return hca;
}

class NodeLoopTest : public testing::Test {
 protected:
  std::function<NodeInventory(const GidPolicy&)> Reader() {
    return [this](const GidPolicy&) {
      std::lock_guard lock(mutex_);
      ++reads_;
      return node_;
    };
  }
  NodeOutputs Outputs() {
    return {.state = state_, .offer = offer_, .published = [this](const NodeState&) {
              std::lock_guard lock(mutex_);
              published_.notify_all();
            }};
  }
  void SetNode(std::vector<Hca> hcas) {
    std::lock_guard lock(mutex_);
    node_.hcas = std::move(hcas);
  }
  // Waits for the first publication after which `holds` is true.
  bool Await(const std::function<bool()>& holds) {
    std::unique_lock lock(mutex_);
    return published_.wait_for(lock, std::chrono::seconds(60), holds);
  }
  std::vector<std::string> Devices(const std::string& resource) const {
    std::vector<std::string> texts;
    const auto offer = offer_.Get();
    for (const auto& one : *offer) {
      if (one->name() != resource) continue;
      for (const OfferedDevice& device : one->devices()) {
        texts.push_back(device.id + (device.healthy ? "" : " unhealthy"));
      }
    }
    return texts;
  }

  const SystemClock clock_;
  Snapshot<DevicepluginConfig> config_{[] {
    DevicepluginConfig config;
    config.health = {.down_after = Nanoseconds(0), .up_after = Nanoseconds(0)};
    return config;
  }()};
  Snapshot<NodeState> state_;
  Snapshot<Offer> offer_;

  std::mutex mutex_;
  std::condition_variable published_;
  NodeInventory node_;
  int reads_ = 0;
};

TEST_F(NodeLoopTest, OffersBeforeItReturns) {
  SetNode({Rxe("rxe0", true)});
  const NodeLoop loop(Reader(), config_, clock_, Outputs());
  EXPECT_THAT(Devices("rdma/hca"), ElementsAre("rxe0-s0"));
  EXPECT_FALSE(Devices("fairlead.dev/probe").empty());
  EXPECT_EQ(state_.Get()->reads, 1U);
}

// Else a slow reading would lengthen every debounce.
TEST_F(NodeLoopTest, AReadingIsOfTheTimeWhenItBegan) {
  class SlowClock final : public Clock {
   public:
    MonotonicTime Now() const override { return now; }
    WallTime WallNow() const override { return {}; }
    MonotonicTime now{Seconds(1'000'000'000)};  // so far ahead that nothing more is due
  } clock;
  const auto slow = [&](const GidPolicy&) {
    clock.now += Seconds(3);
    return NodeInventory{};
  };
  const NodeLoop loop(slow, config_, clock, Outputs());
  EXPECT_EQ(state_.Get()->read_at, MonotonicTime(Seconds(1'000'000'000)));
  EXPECT_EQ(state_.Get()->read_took, Seconds(3));
}

TEST_F(NodeLoopTest, AReadingThatFailsLeavesAllAsItWasAndIsSoonTriedAgain) {
  SetNode({Rxe("rxe0", true)});
  std::atomic<int> failures = 0;
  const auto reader = [&, read = Reader()](const GidPolicy& policy) {
    return failures > 0 && failures-- > 0 ? std::nullopt : std::optional(read(policy));
  };
  NodeLoop loop(reader, config_, clock_, Outputs());
  failures = 1;
  SetNode({});
  loop.Poke();
  EXPECT_TRUE(Await([&] { return !state_.Get()->watched[0].present; }));
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(state_.Get()->reads, 2U) << "the one that failed was not published";
}

TEST_F(NodeLoopTest, OffersAnEmptyListRatherThanNone) {
  const NodeLoop loop(Reader(), config_, clock_, Outputs());
  ASSERT_EQ(offer_.Get()->size(), 2U);
  EXPECT_TRUE(Devices("rdma/hca").empty());
  EXPECT_FALSE(Devices("fairlead.dev/probe").empty());
}

TEST_F(NodeLoopTest, FollowsTheNodeWhenPoked) {
  NodeLoop loop(Reader(), config_, clock_, Outputs());
  SetNode({Rxe("rxe0", true)});
  loop.Poke();
  EXPECT_TRUE(Await([&] { return !Devices("rdma/hca").empty(); }));
  SetNode({Rxe("rxe0", false)});
  loop.Poke();
  EXPECT_TRUE(
      Await([&] { return Devices("rdma/hca") == std::vector<std::string>{"rxe0-s0 unhealthy"}; }));
  SetNode({});
  loop.Poke();
  EXPECT_TRUE(
      Await([&] { return !state_.Get()->watched.empty() && !state_.Get()->watched[0].present; }));
  EXPECT_THAT(Devices("rdma/hca"), ElementsAre("rxe0-s0 unhealthy"));
}

TEST_F(NodeLoopTest, TakesOverANewConfiguration) {
  SetNode({Rxe("rxe0", true)});
  NodeLoop loop(Reader(), config_, clock_, Outputs());
  DevicepluginConfig config = *config_.Get();
  config.pools[0].slots = 3;
  config_.Publish(config);
  loop.Poke();
  EXPECT_TRUE(Await([&] { return Devices("rdma/hca").size() == 3; }));
}

TEST_F(NodeLoopTest, ReadsAFloodOfEventsFewTimes) {
  NodeLoop loop(Reader(), config_, clock_, Outputs());
  const MonotonicTime begin = clock_.Now();
  for (int i = 0; i < 10'000; ++i) loop.Poke();
  EXPECT_TRUE(Await([&] { return reads_ >= 2; }));
  const auto most = 3 + (clock_.Now() - begin) / Milliseconds(200);
  std::lock_guard lock(mutex_);
  EXPECT_LE(reads_, most);
}

TEST_F(NodeLoopTest, HearsTheProbe) {
  SetNode({Rxe("rxe0", true)});
  NodeLoop loop(Reader(), config_, clock_, Outputs());
  loop.Hear({{.device = "rxe0", .bad = true, .sentence = "2 of 2 peers lost", .at = clock_.Now()}});
  loop.Poke();
  EXPECT_TRUE(Await([&] { return !state_.Get()->watched[0].healthy; }));
  EXPECT_EQ(state_.Get()->watched[0].reason, "probe_verdict");
}

}  // namespace
}  // namespace fairlead::deviceplugin
