// CPU time of planning gangs: one plan by sites and pattern, room of 5,000 nodes, alone and beside
// thousands of plans in force, one question of a pod of a gang of 512.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "extender/gang_plan/capacity.h"
#include "extender/gang_plan/plan_gang.h"
#include "extender/gang_plan/seat_pod.h"
#include "tests/extender/sample/links.h"
#include "tests/extender/sample/matrix.h"

namespace fairlead::extender {
namespace {

double CpuSeconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

void Report(const std::string& what, const std::function<void(int)>& run) {
  std::vector<double> times;
  for (int round = 0; round < 51; ++round) {
    const double start = CpuSeconds();
    run(round);
    times.push_back(CpuSeconds() - start);
  }
  std::sort(times.begin(), times.end());
  std::printf("%-58s %9.3f %9.3f %9.3f\n", what.c_str(), times[25] * 1e3, times[48] * 1e3,
              times[50] * 1e3);
}

void Plans() {
  for (const std::size_t sites : {4U, 10U, 20U}) {
    for (const CommPattern pattern : {CommPattern::kAllreduce, CommPattern::kHierarchical,
                                      CommPattern::kPipeline, CommPattern::kTree}) {
      std::mt19937 random(5);
      std::vector<LineMatrix> matrices;
      std::vector<std::vector<std::uint32_t>> rooms;
      for (int round = 0; round < 51; ++round) {
        matrices.push_back(sample::RandomMatrix(sites, random, 1.5));
        auto& room = rooms.emplace_back();
        const std::uint32_t each = 512 * 2 / static_cast<std::uint32_t>(sites);
        for (std::size_t i = 0; i < sites; ++i)
          room.push_back(each / 2 + static_cast<std::uint32_t>(random()) % each);
      }
      Report("plan of 512 members, " + std::to_string(sites) + " sites, " +
                 std::string(CommPatternName(pattern)),
             [&](int round) {
               PlanRequest request{.profile = {.pattern = pattern},
                                   .lines = matrices[static_cast<std::size_t>(round)],
                                   .size = 512,
                                   .placed = {},
                                   .ranks = {},
                                   .room = rooms[static_cast<std::size_t>(round)],
                                   .excluded = {}};
               if (PlanGang(request).planned != 512) std::puts("does not fit");
             });
    }
  }
}

std::vector<NodeCapacity> Nodes() {
  std::vector<NodeCapacity> nodes(5000);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    nodes[i].name = "node-" + std::to_string(i);
    nodes[i].site = std::string("site-") + static_cast<char>('a' + i % 4);
    nodes[i].free = {.milli_cpu = 64'000,
                     .memory_bytes = std::int64_t{1} << 40,
                     .ephemeral_storage_bytes = 0,
                     .extended = {{"rdma/hca", 8}, {"nvidia.com/gpu", 8}}};
    nodes[i].pods = 110;
    nodes[i].taints = {{"nvidia.com/gpu", "present", TaintEffect::kNoSchedule}};
  }
  return nodes;
}

PodNeeds Needs() {
  PodNeeds needs;
  needs.requests.extended = {{"rdma/hca", 8}, {"nvidia.com/gpu", 8}};
  needs.tolerations = {{"nvidia.com/gpu", TolerationOperator::kExists, "", {}}};
  return needs;
}

void Rooms() {
  const std::vector<NodeCapacity> nodes = Nodes();
  Report("members that fit on 5,000 nodes", [&](int) {
    if (MembersThatFit(Needs(), nodes).by_site.empty()) std::puts("no room");
  });
}

// Of a table with so many plans that wait, each of two members, of one shape or of one each, each
// question changes what one plan promises, as an answer about a pod does.
void PlansInForce() {
  const std::vector<NodeCapacity> nodes = Nodes();
  for (const int plans : {100, 3000}) {
    for (const bool alike : {true, false}) {
      PlanTable table;
      for (int i = 0; i < plans; ++i) {
        PodNeeds needs = Needs();
        if (!alike) needs.requests.milli_cpu = 1'000 + i;
        GangPlan plan;
        plan.size = plan.planned = 2;
        plan.sites = {{std::string("site-") + static_cast<char>('a' + i % 4), 1},
                      {std::string("site-") + static_cast<char>('a' + (i + 1) % 4), 1}};
        plan.lines = {{"site-a", "site-b"}};
        table.Keep({"job", "ml", std::to_string(i), ""}, plan, needs, {}, sample::At(1));
      }
      const std::vector<std::string_view> sites{"site-a", "site-b", "site-c", "site-d"};
      Report("room beside " + std::to_string(plans) + " plans of " + (alike ? "one shape" : "many"),
             [&](int round) {
               const GangKey gang{"job", "ml", std::to_string(round), ""};
               table.Take(gang, {.uid = "u", .rank = {}, .sites = sites}, sample::At(1));
               table.Assume(gang, "u", "node-1", sample::At(1));
               const MemberRoom room = MembersThatFit(Needs(), nodes, table.Promised(gang));
               if (room.by_site.empty() || table.Crossings(gang).empty()) std::puts("no room");
             });
    }
  }
}

void Questions() {
  const std::vector<std::string> sites{"hk", "sg", "tyo"};
  const LinkSnapshot links = sample::Lab().Snapshot();
  std::vector<BoundMember> bound;
  for (std::uint32_t rank = 0; rank < 256; ++rank) {
    bound.push_back({"uid-" + std::to_string(rank), "hk", "node-" + std::to_string(rank), rank});
  }
  std::vector<std::string_view> nodes;
  for (int i = 0; i < 500; ++i) nodes.push_back(sites[static_cast<std::size_t>(i) % 3]);
  const GangKey gang{"job", "ml", "j1", ""};
  PlanTable table;
  Report("question of a pod, 512 members, 256 bound, 500 nodes", [&](int round) {
    const std::string uid = "pod-" + std::to_string(round);
    const SeatQuestion question{.gang = gang,
                                .name = "train",
                                .uid = uid,
                                .rank = 256 + static_cast<std::uint32_t>(round),
                                .size = 512,
                                .bound = bound,
                                .node_sites = nodes};
    SeatPod(
        table, question,
        [&] {
          return PlanInputs{.profile = {},
                            .lines = LineMatrix(sites, links, {}, {}),
                            .room = {{"hk", 100}, {"sg", 300}, {"tyo", 300}},
                            .excluded = {},
                            .needs = {}};
        },
        sample::At(1));
  });
}

}  // namespace
}  // namespace fairlead::extender

int main() {
  std::printf("%-58s %9s %9s %9s\n", "CPU milliseconds", "p50", "p95", "most");
  fairlead::extender::Plans();
  fairlead::extender::Rooms();
  fairlead::extender::PlansInForce();
  fairlead::extender::Questions();
  return 0;
}
