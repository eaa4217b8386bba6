// What holds for every offer.
#include "deviceplugin/allocation/make_offer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tests/deviceplugin/allocation/machines.h"

namespace fairlead::deviceplugin {
namespace {

using Ids = std::vector<std::string>;

// A pool with a priority, another of other HCAs, pairs, and soft RoCE that no pool takes.
DevicepluginConfig Everything() {
  DevicepluginConfig config;
  const auto pool = [&](const std::string& resource, Ids devices) {
    PoolConfig out;
    out.resource = resource;
    out.select.devices = std::move(devices);
    out.variables = false;
    return out;
  };
  PoolConfig first = pool("rdma/hca", {"mlx5_0", "mlx5_1"});
  first.slots = 3;
  first.network = PodNetwork::kHost;
  first.variables = true;
  first.priority.traffic_class = 106;
  PoolConfig bulk = pool("rdma/bulk", {});
  bulk.priority_of = "rdma/hca";
  bulk.network = PodNetwork::kHost;
  bulk.variables = true;
  bulk.slots = 2;
  bulk.priority.traffic_class = 42;
  config.pools = {first, bulk, pool("rdma/storage", {"mlx5_2"}),
                  pool("fairlead.dev/gpu-hca", {"mlx5_3", "mlx5_4"})};
  config.gpus.pair_resource = "fairlead.dev/gpu-hca";
  return config;
}

NodeInventory Node() {
  NodeInventory node = Machine(2, 3, 1);
  node.hcas.push_back(RoceHca("rxe0", {RocePort({"1 fe80::1", "2 10.0.0.7"})}));
  node.hcas.back().uverbs = "uverbs_rxe0";
  return node;
}

Offer OfferOf(const NodeInventory& node, const DevicepluginConfig& config) {
  return MakeOffer(node, MatchPools(node, config.pools), {}, config);
}

Ids IdsOf(const Resource& resource) {
  Ids ids;
  for (const OfferedDevice& device : resource.devices()) ids.push_back(device.id);
  return ids;
}

TEST(MakeOffer, IsSortedWithOneResourceAName) {
  Ids names;
  for (const auto& resource : OfferOf(Node(), Everything())) names.push_back(resource->name());
  EXPECT_EQ(names, (Ids{"fairlead.dev/gpu-hca", "fairlead.dev/probe", "rdma/bulk", "rdma/hca",
                        "rdma/storage"}));
}

TEST(MakeOffer, GivesAPriorityTheSameHcasWithSlotsOfItsOwn) {
  const Offer offer = OfferOf(Node(), Everything());
  EXPECT_EQ(IdsOf(*offer[2]),
            (Ids{"0000-04-00-0-s0", "0000-04-00-0-s1", "0000-05-00-0-s0", "0000-05-00-0-s1"}));
  EXPECT_EQ(offer[3]->devices().size(), 6U);
  const Ids one{"0000-04-00-0-s0"};
  const Grant bulk = offer[2]->Allocate(one).value();
  const Grant hca = offer[3]->Allocate(one).value();
  EXPECT_EQ(bulk.nodes, hca.nodes);
  EXPECT_EQ(bulk.env.at("NCCL_IB_TC"), "42");
  EXPECT_EQ(hca.env.at("NCCL_IB_TC"), "106");
}

TEST(MakeOffer, DoesNotDependOnTheOrderOfTheInventory) {
  const DevicepluginConfig config = Everything();
  NodeInventory node = Node();
  const Offer want = OfferOf(node, config);
  std::mt19937 random(5);
  for (int round = 0; round < 20; ++round) {
    std::shuffle(node.hcas.begin(), node.hcas.end(), random);
    std::shuffle(node.gpus.begin(), node.gpus.end(), random);
    const Offer got = OfferOf(node, config);
    ASSERT_EQ(got.size(), want.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      EXPECT_EQ(got[i]->devices(), want[i]->devices());
      const Ids ids = IdsOf(*got[i]);
      EXPECT_EQ(got[i]->Allocate(ids).value(), want[i]->Allocate(ids).value());
    }
  }
}

TEST(MakeOffer, IdsAreShortLabels) {
  for (const auto& resource : OfferOf(Node(), Everything())) {
    for (const OfferedDevice& device : resource->devices()) {
      EXPECT_LE(device.id.size(), 63U);
      EXPECT_TRUE(std::all_of(device.id.begin(), device.id.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
      })) << device.id;
    }
  }
}

// Of several resources in one container kubelet takes either value of a variable.
TEST(MakeOffer, TwoResourcesNeverSetOneVariableDifferently) {
  const Offer offer = OfferOf(Node(), Everything());
  std::map<std::string, std::map<std::string, std::set<std::string>>> values;  // key, value, who
  for (const auto& resource : offer) {
    const std::string family = resource->name() == "rdma/bulk" ? "rdma/hca" : resource->name();
    for (const std::string& id : IdsOf(*resource)) {
      const Grant grant = resource->Allocate(Ids{id}).value();
      for (const auto& [key, value] : grant.env) {
        values[key][value].insert(family);
      }
    }
  }
  EXPECT_TRUE(values.contains("NCCL_IB_HCA"));
  for (const auto& [key, by_value] : values) {
    std::set<std::string> families;
    for (const auto& [value, who] : by_value) families.insert(who.begin(), who.end());
    EXPECT_TRUE(by_value.size() == 1 || families.size() == 1)
        << key << " is set by " << testing::PrintToString(families);
  }
}

TEST(MakeOffer, GrantsOnlyNodesOfWhatWasAskedFor) {
  const NodeInventory node = Node();
  for (const auto& resource : OfferOf(node, Everything())) {
    if (resource->name() == "fairlead.dev/probe") continue;
    for (const std::string& id : IdsOf(*resource)) {
      const Grant grant = resource->Allocate(Ids{id}).value();
      ASSERT_EQ(grant.nodes.size(), 2U) << id;
      std::string pci = id.substr(0, 12);
      const auto owner = std::find_if(node.hcas.begin(), node.hcas.end(), [&](const Hca& hca) {
        std::string label = hca.pci ? FormatPci(*hca.pci) : "";
        std::replace_if(
            label.begin(), label.end(), [](char c) { return c == ':' || c == '.'; }, '-');
        return label == pci;
      });
      ASSERT_NE(owner, node.hcas.end()) << id;
      EXPECT_EQ(grant.nodes[1].host_path, "/dev/infiniband/" + owner->uverbs);
    }
  }
}

// Recorded, not judged: how long Allocate takes with 64 devices, all of them asked for, where the
// GID indices differ so that policies have to be tried out.
TEST(MakeOffer, AllocateTakes) {
  NodeInventory node = Machine(8, 8, 1);
  for (std::size_t i = 0; i < node.hcas.size(); i += 2) {
    node.hcas[i].ports = {RocePort({"2 10.0.0.9"})};
  }
  DevicepluginConfig config;
  config.pools[0].network = PodNetwork::kHost;
  const Offer offer = OfferOf(node, config);
  const Resource& hca = *offer.back();
  const Ids all = IdsOf(hca);
  ASSERT_EQ(all.size(), 64U);
  const auto begin = std::chrono::steady_clock::now();
  constexpr int kRounds = 100;
  for (int i = 0; i < kRounds; ++i) ASSERT_TRUE(hca.Allocate(all));
  const auto whole = std::chrono::steady_clock::now() - begin;
  const auto each = std::chrono::duration_cast<std::chrono::microseconds>(whole / kRounds);
  RecordProperty("allocate_64_us", static_cast<int>(each.count()));
  EXPECT_EQ(hca.Allocate(all).value().env.at("NCCL_IB_ADDR_FAMILY"), "AF_INET");
}

}  // namespace
}  // namespace fairlead::deviceplugin
