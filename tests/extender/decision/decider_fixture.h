// A decider of which a test publishes what it reads, and keeps what it tells.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "extender/decision/decider.h"

namespace fairlead::extender {

class FakeClock final : public Clock {
 public:
  MonotonicTime Now() const override { return now_; }
  WallTime WallNow() const override { return wall_; }
  MonotonicTime now_ = MonotonicTime{} + Seconds(1000);
  WallTime wall_{};
};

class KeptEvents final : public EventSink {
 public:
  bool Tell(ClusterEvent event) override {
    told_.push_back(std::move(event));
    return true;
  }
  std::vector<ClusterEvent> told_;
};

class DeciderFixture : public testing::Test {
 protected:
  // Of the Job ml/train, with one HCA.
  static PodFacts Member(int index) {
    PodFacts pod;
    pod.namespace_name = "ml";
    pod.name = "train-" + std::to_string(index);
    pod.uid = "uid-" + std::to_string(index);
    pod.labels = {{"batch.kubernetes.io/controller-uid", "job-1"},
                  {"batch.kubernetes.io/job-name", "train"}};
    pod.annotations = {{"fairlead.dev/comm-bytes", "1kB"}};
    pod.owners = {{.kind = "Job", .name = "train", .uid = "job-1", .controller = true}};
    pod.requests = {{"rdma/hca", 1}};
    return pod;
  }

  static std::vector<OfferedNode> Offer(std::vector<std::string_view> names) {
    std::vector<OfferedNode> nodes;
    for (const std::string_view name : names) {
      nodes.push_back({.name = name, .site = {}, .raw = {}});
    }
    return nodes;
  }

  std::vector<double> Prioritize(const PodFacts& pod, std::vector<std::string_view> names) {
    return decider_.Prioritize(pod, Offer(std::move(names)));
  }

  FakeClock clock_;
  Snapshot<extender::Setup> setup_;
  Snapshot<ClusterView> cluster_;
  Snapshot<LinkSnapshot> links_;
  Snapshot<Leadership> leadership_{Leadership::Standalone()};
  DecisionLog log_{10};
  KeptEvents events_;
  Decider decider_{{setup_, cluster_, links_, leadership_, clock_}, log_, events_};
};

}  // namespace fairlead::extender
