// Prints what the view of a cluster of 5,000 nodes and 20,000 pods costs.
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "extender/cluster/cluster_state.h"
#include "extender/cluster/interned.h"

namespace fairlead::extender {
namespace {

double CpuMs() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) * 1e3 +
         static_cast<double>(usage.ru_utime.tv_usec) / 1e3;
}

double RssMib() {
  std::ifstream statm("/proc/self/statm");
  long size = 0;
  long resident = 0;
  statm >> size >> resident;
  return static_cast<double>(resident * sysconf(_SC_PAGESIZE)) / (1 << 20);
}

ClusterNode Node(int i) {
  std::vector<std::string> texts;
  for (int label = 0; label < 30; ++label) {
    texts.push_back("feature.node.kubernetes.io/label-" + std::to_string(label));
    texts.push_back("value-" + std::to_string(label % 3));
  }
  texts.push_back("site");
  texts.push_back("site-" + std::to_string(i % 4));
  // As the decoder of nodes does.
  static Interned<std::string> shared;
  std::vector<std::pair<LabelSet::Text, LabelSet::Text>> labels;
  for (std::size_t t = 0; t < texts.size(); t += 2) {
    labels.emplace_back(shared.Get(texts[t]), shared.Get(texts[t + 1]));
  }
  ClusterNode node;
  node.name = "gpu-node-" + std::to_string(i) + ".cluster.example";
  node.allocatable.milli_cpu = 96000;
  node.allocatable.memory_bytes = std::int64_t{1} << 40;
  node.allocatable.extended = {{"rdma/hca", 8}, {"nvidia.com/gpu", 8}, {"hugepages-2Mi", 0}};
  node.pods = 110;
  node.labels = LabelSet(std::move(labels));
  return node;
}

ClusterPod Pod(int i, int nodes) {
  ClusterPod pod;
  pod.uid = "5c1f0b9e-7c1c-4a33-9d0f-" + std::to_string(100000000000LL + i);
  pod.namespace_name = "training";
  pod.name = "llm-7b-worker-" + std::to_string(i);
  pod.node = "gpu-node-" + std::to_string(i % nodes) + ".cluster.example";
  pod.needs.requests.milli_cpu = 8000;
  pod.needs.requests.extended = {{"rdma/hca", 1}, {"nvidia.com/gpu", 1}};
  const std::string job = "0d3e-" + std::to_string(i / 64);
  pod.gang = Gang{
      .key = {"job", "training", job, {}}, .size = {}, .rank = static_cast<std::uint32_t>(i % 64)};
  pod.controller = {.kind = "Job", .name = job, .uid = job, .controller = true};
  return pod;
}

void Run(int nodes, int pods) {
  const double rss = RssMib();
  ClusterState state("site");
  double began = CpuMs();
  for (int i = 0; i < nodes; ++i) state.Upsert(Node(i));
  for (int i = 0; i < pods; ++i) state.Upsert(Pod(i, nodes));
  ClusterView view = state.Publish({});
  std::printf("build: %.1f ms CPU, %.1f MiB with one view\n", CpuMs() - began, RssMib() - rss);
  began = CpuMs();
  constexpr int kTurns = 100;
  for (int turn = 0; turn < kTurns; ++turn) {
    ClusterPod pod = Pod(turn, nodes);
    pod.node = "gpu-node-" + std::to_string(turn + 7) + ".cluster.example";
    state.Upsert(std::move(pod));
    view = state.Publish({});
  }
  std::printf("publish after one pod: %.3f ms CPU, %.1f MiB\n", (CpuMs() - began) / kTurns,
              RssMib() - rss);
  began = CpuMs();
  for (int turn = 0; turn < kTurns; ++turn) view = state.Publish({});
  std::printf("publish of nothing: %.4f ms CPU\n", (CpuMs() - began) / kTurns);
}

}  // namespace
}  // namespace fairlead::extender

int main() { fairlead::extender::Run(5000, 20000); }
