#include "deviceplugin/allocation/preference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "deviceplugin/allocation/hca_resource.h"
#include "deviceplugin/allocation/probe_resource.h"
#include "tests/deviceplugin/allocation/machines.h"

namespace fairlead::deviceplugin {
namespace {

using Ids = std::vector<std::string>;

// HCAs named by their ids a, b, c ...
HcaResource ResourceOf(const NodeInventory& node, std::uint32_t slots) {
  HcaPool pool;
  pool.profile.resource = "rdma/hca";
  for (std::size_t i = 0; i < node.hcas.size(); ++i) {
    pool.hcas.push_back({std::make_shared<const Hca>(node.hcas[i]),
                         std::string(1, static_cast<char>('a' + i)), true, true});
  }
  return HcaResource(std::move(pool), slots, node.gpus);
}

Ids All(const Resource& resource) {
  Ids ids;
  for (const OfferedDevice& device : resource.devices()) ids.push_back(device.id);
  return ids;
}

Ids Without(Ids ids, const Ids& gone) {
  std::erase_if(ids, [&](const std::string& id) {
    return std::find(gone.begin(), gone.end(), id) != gone.end();
  });
  return ids;
}

TEST(Prefer, TakesDifferentHcasBeforeSecondSlots) {
  const HcaResource resource = ResourceOf(Machine(2, 2, 1), 2);
  EXPECT_EQ(resource.Prefer({All(resource), {}, 2}), (Ids{"a-s0", "b-s0"}));
  EXPECT_EQ(resource.Prefer({{"a-s0", "a-s1"}, {}, 2}), (Ids{"a-s0", "a-s1"}));
}

TEST(Prefer, TakesHcasOfOneSwitchThenOfOneNumaNode) {
  const HcaResource resource = ResourceOf(Machine(4, 2, 0), 1);  // a b | c d || e f | g h
  EXPECT_EQ(resource.Prefer({All(resource), {}, 2}), (Ids{"a-s0", "b-s0"}));
  // With a on its own the next pair is nearer, though a comes first.
  EXPECT_EQ(resource.Prefer({Without(All(resource), {"b-s0"}), {}, 2}), (Ids{"c-s0", "d-s0"}));
  // No two of one switch: a and c share the NUMA node, e does not.
  EXPECT_EQ(resource.Prefer({{"a-s0", "e-s0", "c-s0"}, {}, 2}), (Ids{"a-s0", "c-s0"}));
  EXPECT_EQ(resource.Prefer({All(resource), {}, 4}), (Ids{"a-s0", "b-s0", "c-s0", "d-s0"}));
}

TEST(Prefer, TakesAnHcaNearAGpu) {
  NodeInventory node = Machine(2, 1, 1);
  node.gpus.erase(node.gpus.begin());
  const HcaResource resource = ResourceOf(node, 1);
  EXPECT_EQ(resource.Prefer({All(resource), {}, 1}), (Ids{"b-s0"}));
}

TEST(Prefer, TakesTheHcaWithFewestUsedSlots) {
  const HcaResource resource = ResourceOf(Machine(1, 3, 0), 3);
  EXPECT_EQ(resource.Prefer({Without(All(resource), {"a-s0", "b-s0", "b-s1"}), {}, 1}),
            (Ids{"c-s0"}));
  EXPECT_EQ(
      resource.Prefer({Without(All(resource), {"a-s0", "b-s0", "b-s1", "c-s0", "c-s2"}), {}, 1}),
      (Ids{"a-s1"}));
}

TEST(Prefer, BeginsWithWhatMustBeIncluded) {
  const HcaResource resource = ResourceOf(Machine(4, 2, 1), 1);
  EXPECT_EQ(resource.Prefer({All(resource), {"h-s0"}, 2}), (Ids{"h-s0", "g-s0"}));
  EXPECT_EQ(resource.Prefer({All(resource), {"h-s0", "a-s0"}, 2}), (Ids{"h-s0", "a-s0"}));
  EXPECT_EQ(resource.Prefer({All(resource), {"h-s0", "a-s0"}, 1}), (Ids{"h-s0"}));
}

TEST(Prefer, CopesWithEveryQuestion) {
  const HcaResource resource = ResourceOf(Machine(1, 2, 0), 1);
  EXPECT_EQ(resource.Prefer({All(resource), {}, 9}), (Ids{"a-s0", "b-s0"}));
  EXPECT_EQ(resource.Prefer({{"x", "b-s0", "b-s0"}, {"y", "b-s0", "b-s0"}, 2}), (Ids{"b-s0"}));
  EXPECT_TRUE(resource.Prefer({All(resource), {}, 0}).empty());
  EXPECT_TRUE(resource.Prefer({}).empty());
  EXPECT_TRUE(ResourceOf({}, 1).Prefer({{"a-s0"}, {}, 1}).empty());
  EXPECT_EQ(ProbeResource({}).Prefer({{"probe-s3", "probe-s2"}, {}, 1}), (Ids{"probe-s2"}));
}

// A question whose answer took the fourth power of the HCAs would not end here.
TEST(Prefer, AnswersForAThousandHcas) {
  NodeInventory node = Machine(1, 1, 0);
  const Hca one = node.hcas.front();
  HcaPool pool;
  pool.profile.resource = "rdma/hca";
  for (int i = 0; i < 1000; ++i) {
    pool.hcas.push_back(
        {std::make_shared<const Hca>(one), "h" + std::to_string(1000 + i), true, true});
  }
  const HcaResource resource(std::move(pool), 1, node.gpus);
  const Ids ids = All(resource);
  EXPECT_EQ(resource.Prefer({ids, {}, 1000}), ids);
  EXPECT_EQ(resource.Prefer({ids, {}, 2147483647}), ids);
  EXPECT_EQ(resource.Prefer({ids, {ids[9]}, 999}).size(), 999U);
  EXPECT_EQ(resource.Prefer({ids, {}, 50}), Ids(ids.begin(), ids.begin() + 50));
}

TEST(Prefer, DoesNotDependOnTheOrderOfWhatIsAvailable) {
  const HcaResource resource = ResourceOf(Machine(2, 2, 1), 1);
  Ids available = All(resource);
  for (std::size_t size = 1; size <= available.size(); ++size) {
    std::sort(available.begin(), available.end());
    const Ids want = resource.Prefer({available, {}, size});
    EXPECT_EQ(want.size(), size);
    while (std::next_permutation(available.begin(), available.end())) {
      EXPECT_EQ(resource.Prefer({available, {}, size}), want);
    }
  }
}

}  // namespace
}  // namespace fairlead::deviceplugin
