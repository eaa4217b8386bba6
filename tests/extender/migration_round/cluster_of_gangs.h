// A cluster of three sites with gangs of Jobs on it, one HCA a node.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "extender/cluster/cluster_state.h"

namespace fairlead::extender {

class ClusterOfGangs {
 public:
  static constexpr char kSiteLabel[] = "topology.kubernetes.io/region";
  // The moment at which all pods are ready.
  static WallTime Ready() { return WallTime(Seconds(1'795'000'000)); }

  ClusterOfGangs() {
    for (const std::string site : {"hk", "sg", "tyo"}) {
      for (const std::string number : {"1", "2", "3"}) {
        ClusterNode node;
        node.name = site + number;
        node.allocatable.extended["rdma/hca"] = 1;
        node.pods = 110;
        node.labels = LabelSet{{kSiteLabel, site}};
        state.Upsert(std::move(node));
      }
    }
  }

  // A Job with a member on each of these nodes, all ready.
  void AddJob(const std::string& name, const std::vector<std::string>& nodes,
              MoveWishes wishes = {}, std::string moves = {}) {
    BatchJob job;
    job.namespace_name = "ml";
    job.name = name;
    job.uid = "uid-" + name;
    job.parallelism = static_cast<std::uint32_t>(nodes.size());
    job.moves = RecordedMoves(std::move(moves));
    state.Upsert(std::move(job));
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      state.Upsert(Member(name, static_cast<std::uint32_t>(i), nodes[i], wishes));
    }
  }

  static ClusterPod Member(const std::string& job, std::uint32_t rank, const std::string& node,
                           MoveWishes wishes = {}) {
    ClusterPod pod;
    pod.uid = job + "-" + std::to_string(rank);
    pod.namespace_name = "ml";
    pod.name = pod.uid;
    pod.node = node;
    pod.needs.requests.extended["rdma/hca"] = 1;
    pod.gang = Gang{.key = {"job", "ml", "uid-" + job, {}}, .size = {}, .rank = rank};
    pod.controller = {.kind = "Job",
                      .name = job,
                      .uid = "uid-" + job,
                      .controller = true,
                      .api_version = "batch/v1"};
    pod.wishes = std::move(wishes);
    pod.ready = true;
    pod.ready_since = Ready();
    return pod;
  }

  ClusterState state{kSiteLabel};
};

}  // namespace fairlead::extender
