// Follows an API server as the extender does and prints what it knows whenever that changes, one
// JSON object a line, for tests against a real one. Lines on standard input are work: "token TEXT"
// reviews a token, "healed SITE" marks a node, "event NAMESPACE POD UID NOTE" writes an Event.
//
//   cluster_view_tool KUBECONFIG AUDIENCE SERVICE_ACCOUNT
#include <csignal>
#include <iostream>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>

#include "common/kube/kubeconfig.h"
#include "extender/cluster_api/cluster_feed.h"
#include "extender/cluster_api/cluster_writer.h"
#include "extender/cluster_api/token_reviewer.h"

namespace fairlead::extender {
namespace {

using Json = nlohmann::json;

void Print(const Json& line) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  std::cout << line.dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;
}

Json NodesOf(const ClusterView& view) {
  Json nodes = Json::object();
  for (const NodeCapacity& node : view.nodes()) {
    nodes[node.name] = {{"site", node.site},
                        {"ready", node.ready},
                        {"schedulable", node.schedulable},
                        {"milli_cpu", node.free.milli_cpu},
                        {"free", node.free.extended},
                        {"pods", node.pods}};
  }
  return nodes;
}

Json GangsOf(const ClusterView& view) {
  Json gangs = Json::object();
  for (const auto& gang : view.gangs()) {
    std::map<std::string, int> sites;
    for (const BoundMember& member : gang->bound) ++sites[member.site];
    Json& one = gangs[gang->key.Text()];
    one = {{"sites", sites}, {"pending", gang->pending}, {"strangers", gang->strangers}};
    if (gang->size) one["size"] = *gang->size;
    if (!gang->stranger.empty()) one["stranger"] = gang->stranger;
  }
  return gangs;
}

void Work(const std::string& line, TokenReviewer& tokens, ClusterWriter& writer) {
  std::istringstream words(line);
  std::string what;
  words >> what;
  if (what == "token") {
    std::string token;
    words >> token;
    const auto node = tokens.NodeOf(token);
    Json refused = Json::object();
    const ReviewCounts counts = tokens.counts();
    for (std::size_t i = 0; i < kTokenRefusals; ++i) {
      if (counts.refused[i] == 0) continue;
      refused[std::string(TokenRefusalName(static_cast<TokenRefusal>(i)))] = counts.refused[i];
    }
    Print({{"token",
            {{"node", node.value_or("")},
             {"error", node ? "" : node.error().message},
             {"reviews", counts.reviews},
             {"refused", refused}}}});
  } else if (what == "healed") {
    std::string site;
    words >> site;
    writer.LinesHealed({site});
  } else if (what == "event") {
    ClusterEvent event;
    words >> event.regarding.namespace_name >> event.regarding.name >> event.regarding.uid;
    std::getline(words >> std::ws, event.note);
    event.reason = "GangPlanned";
    event.action = "Planning";
    writer.Tell(std::move(event));
  }
}

void Follow(const std::stop_token& stop, const ClusterFeed& feed, const ClusterWriter& writer,
            const Snapshot<ClusterView>& views) {
  Json before;
  while (!stop.stop_requested()) {
    const auto view = views.Get();
    const FeedHealth health = JudgeFeed(feed.status());
    const WriteCounts counts = writer.counts();
    std::uint64_t failures = 0;
    for (const std::uint64_t count : counts.failures) failures += count;
    Json now = {{"ready", health.ready},           {"trouble", health.trouble},
                {"sites", view->sites()},          {"nodes", NodesOf(*view)},
                {"gangs", GangsOf(*view)},         {"pods", view->pods()},
                {"pending", view->pending_pods()}, {"events", counts.events_written},
                {"marked", counts.nodes_marked},   {"write_failures", failures}};
    if (now != before) Print({{"view", now}});
    before = std::move(now);
    std::this_thread::sleep_for(Milliseconds(20));
  }
}

int Run(const std::string& kubeconfig, ReviewRules rules) {
  std::signal(SIGPIPE, SIG_IGN);
  const SystemClock clock;
  const auto access = kube::ReadKubeconfig(kubeconfig, "", {});
  if (!access) {
    std::cerr << access.error().message << "\n";
    return 1;
  }
  Snapshot<ClusterView> views;
  auto feed = ClusterFeed::Create({.access = *access,
                                   .user_agent = "fairlead-test",
                                   .site_label = "topology.kubernetes.io/region",
                                   .seed = 1},
                                  clock, views);
  auto tokens = TokenReviewer::Create(*access, "fairlead-test", std::move(rules), clock);
  auto writer = ClusterWriter::Create(*access, "fairlead-test", "tool", views, clock);
  if (!feed || !tokens || !writer) return 1;
  (*feed)->Start();
  (*writer)->Start();
  const std::jthread follower(
      [&](const std::stop_token& stop) { Follow(stop, **feed, **writer, views); });
  std::string line;
  while (std::getline(std::cin, line)) Work(line, **tokens, **writer);
  return 0;
}

}  // namespace
}  // namespace fairlead::extender

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  return fairlead::extender::Run(argv[1], {.audience = argv[2], .service_account = argv[3]});
}
