#include "extender/cluster/pod_requests.h"

#include <gtest/gtest.h>

#include "extender/cluster/amounts.h"

namespace fairlead::extender {
namespace {

Amounts Cpu(std::int64_t milli) {
  Amounts amounts;
  amounts.milli_cpu = milli;
  return amounts;
}

Amounts Hcas(std::int64_t hcas) {
  Amounts amounts;
  amounts.extended["rdma/hca"] = hcas;
  return amounts;
}

ContainerRequests Plain(std::int64_t milli) { return {.amounts = Cpu(milli)}; }
ContainerRequests Sidecar(std::int64_t milli) {
  return {.amounts = Cpu(milli), .restartable = true};
}

struct Case {
  const char* what;
  std::vector<ContainerRequests> containers;
  std::vector<ContainerRequests> init;
  std::int64_t milli;
};

TEST(PodRequests, CountsAsTheSchedulerDoes) {
  const Case cases[] = {
      {"nothing", {}, {}, 0},
      {"containers add up", {Plain(100), Plain(200)}, {}, 300},
      {"a large init container stands for all", {Plain(100)}, {Plain(500)}, 500},
      {"init containers run one by one", {Plain(100)}, {Plain(50), Plain(60)}, 100},
      {"a sidecar runs beside the containers", {Plain(100)}, {Sidecar(50)}, 150},
      {"an init container runs beside earlier sidecars",
       {Plain(100)},
       {Sidecar(50), Plain(200)},
       250},
      {"but not beside later ones", {Plain(100)}, {Plain(200), Sidecar(50)}, 200},
      {"sidecars add up", {Plain(10)}, {Sidecar(50), Sidecar(60), Plain(5)}, 120},
  };
  for (const Case& c : cases) {
    PodAmounts pod;
    pod.containers = c.containers;
    pod.init_containers = c.init;
    EXPECT_EQ(RequestsOf(pod).milli_cpu, c.milli) << c.what;
  }
}

TEST(PodRequests, EachResourceIsCountedByItself) {
  PodAmounts pod;
  pod.containers = {{.amounts = Hcas(4)}, {.amounts = Hcas(4)}};
  pod.init_containers = {{.amounts = Cpu(700)}};
  const Amounts requests = RequestsOf(pod);
  EXPECT_EQ(requests.milli_cpu, 700);
  EXPECT_EQ(requests.extended, Hcas(8).extended);
}

TEST(PodRequests, ThePodsOwnRequestsReplaceAndTheOverheadComesOnTop) {
  PodAmounts pod;
  pod.containers = {Plain(100), Plain(200)};
  pod.of_pod = Cpu(1000);
  pod.overhead = Cpu(7);
  pod.overhead.memory_bytes = 50;
  EXPECT_EQ(RequestsOf(pod).milli_cpu, 1007);
  EXPECT_EQ(RequestsOf(pod).memory_bytes, 50);
}

TEST(AmountsTest, SubtractTakesBackWhatAddGave) {
  Amounts sum = Hcas(3);
  const Amounts before = sum;
  Amounts huge = Cpu(INT64_MAX);
  huge.extended = {{"rdma/hca", INT64_MAX}, {"a/b", INT64_MIN}};
  Add(sum, huge);
  Add(sum, huge);
  Subtract(sum, huge);
  Subtract(sum, huge);
  EXPECT_EQ(sum, before);
  Subtract(sum, Hcas(3));
  EXPECT_EQ(sum, Amounts{});
}

TEST(AmountsTest, WhatIsLeftMayBeNegative) {
  EXPECT_EQ(Left(Hcas(2), Hcas(5)), Hcas(-3));
  EXPECT_EQ(Left(Amounts{}, Hcas(1)), Hcas(-1));
}

}  // namespace
}  // namespace fairlead::extender
