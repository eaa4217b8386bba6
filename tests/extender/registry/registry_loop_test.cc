// The loop as streams drive it: many threads at once. Built with ThreadSanitizer this is the proof
// that what gRPC's callbacks call is free of races, which cannot be seen through gRPC itself.
#include "extender/registry/registry_loop.h"

#include <gmock/gmock.h>

#include <atomic>
#include <thread>
#include <vector>

#include "extender/cluster/standalone.h"
#include "tests/extender/registry/counted_reports.h"

namespace fairlead::extender {
namespace {

constexpr std::size_t kNodesPerSite = 3;
constexpr std::uint64_t kBatches = 200;

class FakeLine final : public ProbeLine {
 public:
  void SendPlan(const NodePlan& plan) override {
    peers_ = plan.peers.size();
    peers_.notify_all();
  }
  void Close(const Error&) override { closed_ = true; }
  bool closed() const override { return closed_; }
  void AwaitPeers() const { peers_.wait(0); }

 private:
  std::atomic<std::size_t> peers_ = 0;
  std::atomic<bool> closed_ = false;
};

std::vector<NodeConfig> NodesOfTwoSites() {
  std::vector<NodeConfig> nodes;
  for (const std::string site : {"hk", "sg"}) {
    for (std::size_t i = 0; i < kNodesPerSite; ++i) {
      nodes.push_back({.name = site + std::to_string(i), .site = site, .hcas = 1});
    }
  }
  return nodes;
}

Setup TwoSites() {
  Config config;
  config.sites = {{.name = "hk", .coordinates = std::nullopt},
                  {.name = "sg", .coordinates = std::nullopt}};
  config.nodes = NodesOfTwoSites();
  return MakeSetup(config, StandaloneView(config.nodes).names());
}

struct Node {
  NodeConfig config;
  std::shared_ptr<FakeLine> line = std::make_shared<FakeLine>();
};

DecodedBatch BatchOf(const NodeConfig& node, std::uint64_t sequence, MonotonicTime now) {
  const std::string peer_site = node.site == "hk" ? "sg" : "hk";
  PathReport path;
  path.peer_node = peer_site + "0";
  path.peer_site = peer_site;
  path.measurement.rtt_min = path.measurement.rtt_p50 = Milliseconds(36);
  path.measurement.rtt_p99 = Milliseconds(37);
  path.state = LinkState::kHealthy;
  path.reason = LinkReason::kNone;
  return {.batch = {.node = node.name,
                    .site = node.site,
                    .sequence = sequence,
                    .sent_at = SystemClock().WallNow() + Nanoseconds(sequence),
                    .received_at = now,
                    .paths = {path}},
          .refused = {}};
}

TEST(RegistryLoop, TakesReportsOfManyThreadsWhileReadersLook) {
  const SystemClock clock;
  CountedReports counts;
  Snapshot<extender::Setup> setup{TwoSites()};
  Snapshot<LinkSnapshot> links;
  Snapshot<RegistryStatus> status;
  std::vector<Node> nodes;
  for (const NodeConfig& node : NodesOfTwoSites()) nodes.push_back({.config = node});
  {
    RegistryLoop loop(setup, clock, counts, links, status);
    std::vector<std::jthread> streams;
    for (const Node& node : nodes) {
      streams.emplace_back([&] {
        EXPECT_TRUE(loop.Joined({.protocol_version = kProtocolVersion,
                                 .node = node.config.name,
                                 .site = node.config.site,
                                 .epoch = 1,
                                 .session_address = "127.0.0.1:1",
                                 .has_hca = true,
                                 .software_version = "test"},
                                node.line));
        for (std::uint64_t i = 1; i <= kBatches; ++i) {
          EXPECT_TRUE(loop.Reported(BatchOf(node.config, i, clock.Now()), node.line));
        }
        node.line->AwaitPeers();
      });
    }
    std::jthread reloads([&](std::stop_token stop) {
      while (!stop.stop_requested()) setup.Publish(TwoSites());
    });
    std::jthread reads([&](std::stop_token stop) {
      while (!stop.stop_requested()) {
        EXPECT_LE(links.Get()->links.size(), 4U);
        EXPECT_LE(status.Get()->connected.size(), 2U);
      }
    });
    EXPECT_TRUE(counts.Reaches("accepted", nodes.size() * kBatches));
  }
  for (const Node& node : nodes) EXPECT_TRUE(node.line->closed()) << node.config.name;
  EXPECT_GT(status.Get()->plan_revision, 0U);
}

}  // namespace
}  // namespace fairlead::extender
