// What each kind of resource offers and grants.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "deviceplugin/allocation/make_offer.h"
#include "tests/deviceplugin/allocation/machines.h"

namespace fairlead::deviceplugin {
namespace {

using Ids = std::vector<std::string>;

const Resource& Named(const Offer& offer, const std::string& name) {
  const auto found = std::find_if(offer.begin(), offer.end(),
                                  [&](const auto& resource) { return resource->name() == name; });
  if (found == offer.end()) throw std::runtime_error("no resource " + name);
  return **found;
}

Offer OfferOf(const NodeInventory& node, const DevicepluginConfig& config,
              const std::vector<HcaVerdict>& verdicts = {}) {
  return MakeOffer(node, MatchPools(node, config.pools), verdicts, config);
}

Ids IdsOf(const Resource& resource) {
  Ids ids;
  for (const OfferedDevice& device : resource.devices()) ids.push_back(device.id);
  return ids;
}

Ids PathsOf(const Grant& grant) {
  Ids paths;
  for (const DeviceNode& node : grant.nodes) paths.push_back(node.container_path);
  return paths;
}

DevicepluginConfig Slots(std::uint32_t slots) {
  DevicepluginConfig config;
  config.pools[0].slots = slots;
  return config;
}

TEST(HcaResource, OffersSlotsOfEachHca) {
  NodeInventory node = Machine(2, 1, 0);
  node.hcas[1].numa_node = -1;
  const Offer offer = OfferOf(node, Slots(2), {{true, true}, {false, true}});
  const std::vector<OfferedDevice> want{{"0000-04-00-0-s0", true, {0}},
                                        {"0000-04-00-0-s1", true, {0}},
                                        {"0000-1c-00-0-s0", false, {}},
                                        {"0000-1c-00-0-s1", false, {}}};
  EXPECT_EQ(Named(offer, "rdma/hca").devices(), want);
}

TEST(HcaResource, GrantsTheNodesOfItsHcasOnly) {
  NodeInventory node = Machine(1, 3, 0);
  node.hcas[0].umad = {{"umad0", 1}};
  node.hcas[0].issm = {{"issm0", 1}};
  const Offer offer = OfferOf(node, Slots(2));
  const Resource& hca = Named(offer, "rdma/hca");
  const Ids one{"0000-04-00-0-s1"};
  const Grant grant = hca.Allocate(one).value();
  EXPECT_EQ(PathsOf(grant), (Ids{"/dev/infiniband/rdma_cm", "/dev/infiniband/uverbs_mlx5_0"}));
  EXPECT_EQ(grant.nodes[0], (DeviceNode{"/dev/infiniband/rdma_cm", "/dev/infiniband/rdma_cm"}));
  EXPECT_EQ(grant.env.at("NCCL_IB_HCA"), "=mlx5_0:1");
  EXPECT_TRUE(grant.mounts.empty());
  EXPECT_TRUE(grant.cdi_devices.empty());
  node.rdma_cm = false;
  EXPECT_EQ(PathsOf(Named(OfferOf(node, Slots(2)), "rdma/hca").Allocate(one).value()),
            (Ids{"/dev/infiniband/uverbs_mlx5_0"}));
}

TEST(HcaResource, HasNcclSettingsForLaterWhereThePoolAsksForThem) {
  const NodeInventory node = Machine(1, 2, 0);
  DevicepluginConfig config = Slots(1);
  const Ids ids{"0000-04-00-0-s0", "0000-05-00-0-s0"};
  const Offer without = OfferOf(node, config);
  EXPECT_FALSE(Named(without, "rdma/hca").wants_pre_start());
  EXPECT_FALSE(Named(without, "rdma/hca").Allocate(ids).value().nccl);

  config.pools[0].nccl_conf = true;
  config.outage = Seconds(77);
  const Offer with = OfferOf(node, config);
  EXPECT_TRUE(Named(with, "rdma/hca").wants_pre_start());
  EXPECT_FALSE(Named(with, "fairlead.dev/probe").wants_pre_start());
  const auto nccl = Named(with, "rdma/hca").Allocate(ids).value().nccl;
  ASSERT_TRUE(nccl);
  ASSERT_EQ(nccl->hcas.size(), 2U);
  EXPECT_EQ(nccl->hcas[1]->name, "mlx5_1");
  EXPECT_TRUE(nccl->gpus.empty());
  EXPECT_EQ(nccl->settings.outage, Seconds(77));

  config.pools[0].variables = false;
  EXPECT_FALSE(Named(OfferOf(node, config), "rdma/hca").wants_pre_start());
}

TEST(HcaResource, GrantsTheSameForTheSameIds) {
  const Offer offer = OfferOf(Machine(2, 2, 0), Slots(2));
  const Resource& hca = Named(offer, "rdma/hca");
  Ids ids{"0000-04-00-0-s0", "0000-05-00-0-s1", "0000-1d-00-0-s0"};
  const Grant want = hca.Allocate(ids).value();
  EXPECT_EQ(want.env.at("NCCL_IB_HCA"), "=mlx5_0:1,mlx5_1:1,mlx5_3:1");
  while (std::next_permutation(ids.begin(), ids.end())) EXPECT_EQ(hca.Allocate(ids).value(), want);
  ids.push_back(ids.front());        // twice
  ids.push_back("0000-04-00-0-s1");  // another slot of the same HCA
  EXPECT_EQ(hca.Allocate(ids).value(), want);
}

TEST(HcaResource, RefusesWhatItNeverOffered) {
  const Offer offer = OfferOf(Machine(1, 1, 0), Slots(1));
  const Resource& hca = Named(offer, "rdma/hca");
  const auto unknown = hca.Allocate(Ids{"0000-04-00-0-s0", "0000-04-00-0-s1"});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(unknown.error().message,
            "device \"0000-04-00-0-s1\" of rdma/hca does not exist on this node");
  EXPECT_EQ(hca.Allocate(Ids{}).error().code, ErrorCode::kInvalidArgument);
  EXPECT_FALSE(hca.Allocate(Ids{std::string(100'000, '\xff')}));
}

TEST(HcaResource, GrantsAnUnhealthyHcaButNotAVanishedOne) {
  const NodeInventory node = Machine(1, 2, 0);
  const Offer offer = OfferOf(node, Slots(1), {{false, true}, {false, false}});
  const Resource& hca = Named(offer, "rdma/hca");
  EXPECT_FALSE(hca.devices()[0].healthy);
  EXPECT_TRUE(hca.Allocate(Ids{"0000-04-00-0-s0"}));
  EXPECT_FALSE(hca.devices()[1].healthy);
  EXPECT_EQ(hca.Allocate(Ids{"0000-05-00-0-s0"}).error().code, ErrorCode::kUnavailable);
}

TEST(HcaResource, NamesCdiDevicesInsteadOfNodesOnDemand) {
  DevicepluginConfig config = Slots(1);
  config.cdi = true;
  const Offer offer = OfferOf(Machine(1, 2, 0), config);
  const Grant grant =
      Named(offer, "rdma/hca").Allocate(Ids{"0000-05-00-0-s0", "0000-04-00-0-s0"}).value();
  EXPECT_EQ(grant.cdi_devices,
            (Ids{"fairlead.dev/hca=0000-04-00-0", "fairlead.dev/hca=0000-05-00-0"}));
  EXPECT_TRUE(grant.nodes.empty());
  EXPECT_EQ(grant.env.at("NCCL_IB_HCA"), "=mlx5_0:1,mlx5_1:1");
}

TEST(ProbeResource, IsThereWithoutHcas) {
  const Offer offer = OfferOf(NodeInventory(), {});
  const Resource& probe = Named(offer, "fairlead.dev/probe");
  EXPECT_EQ(probe.devices().size(), 16U);
  EXPECT_TRUE(std::all_of(probe.devices().begin(), probe.devices().end(),
                          [](const OfferedDevice& device) { return device.healthy; }));
  EXPECT_EQ(probe.Allocate(Ids{"probe-s0"}).value(), Grant());
  EXPECT_TRUE(Named(offer, "rdma/hca").devices().empty());
}

TEST(ProbeResource, GrantsEveryNodeThatIsThere) {
  NodeInventory node = Machine(1, 3, 0);
  node.hcas[1].uverbs.clear();
  const Offer offer = OfferOf(node, Slots(1), {{false, true}, {true, true}, {false, false}});
  const Grant grant = Named(offer, "fairlead.dev/probe").Allocate(Ids{"probe-s5"}).value();
  EXPECT_EQ(PathsOf(grant), (Ids{"/dev/infiniband/rdma_cm", "/dev/infiniband/uverbs_mlx5_0"}));
  EXPECT_TRUE(grant.env.empty());
  EXPECT_FALSE(Named(offer, "fairlead.dev/probe").Allocate(Ids{"probe-s16"}));
}

TEST(GpuResource, IsOfferedOnDemand) {
  NodeInventory node = Machine(1, 0, 2);
  node.gpus[1].healthy = false;
  node.gpus.push_back(Gpu());  // without a UUID nothing names it surely
  EXPECT_EQ(OfferOf(node, {}).size(), 2U);
  DevicepluginConfig config;
  config.gpus.advertise = true;
  const Offer offer = OfferOf(node, config);
  const Resource& gpu = Named(offer, "nvidia.com/gpu");
  const std::vector<OfferedDevice> want{{"gpu-00000000-0000-0000-0000-000000000000", true, {0}},
                                        {"gpu-00000001-0000-0000-0000-000000000000", false, {0}}};
  EXPECT_EQ(gpu.devices(), want);
  Ids ids = IdsOf(gpu);
  std::reverse(ids.begin(), ids.end());
  const Grant grant = gpu.Allocate(ids).value();
  EXPECT_EQ(grant.env.at("NVIDIA_VISIBLE_DEVICES"), node.gpus[0].uuid + "," + node.gpus[1].uuid);
  EXPECT_TRUE(grant.nodes.empty());
  EXPECT_EQ(gpu.Prefer({ids, {}, 1}), (Ids{ids[1]}));
  config.cdi = true;
  const Grant by_cdi = Named(OfferOf(node, config), "nvidia.com/gpu").Allocate(ids).value();
  EXPECT_TRUE(by_cdi.env.empty());
  EXPECT_EQ(by_cdi.cdi_devices[0], "nvidia.com/gpu=" + node.gpus[0].uuid);
}

DevicepluginConfig Pairs() {
  DevicepluginConfig config;
  config.pools[0].resource = "fairlead.dev/gpu-hca";
  config.gpus.pair_resource = "fairlead.dev/gpu-hca";
  return config;
}

TEST(GpuHcaResource, HandsOutAGpuWithItsHca) {
  NodeInventory node = Machine(2, 1, 1);
  node.gpus[1].healthy = false;
  const Offer offer = OfferOf(node, Pairs());
  const Resource& pairs = Named(offer, "fairlead.dev/gpu-hca");
  const std::vector<OfferedDevice> want{{"0000-04-00-0-s0-00000000", true, {0}},
                                        {"0000-1c-00-0-s0-00000001", false, {1}}};
  EXPECT_EQ(pairs.devices(), want);
  const Grant grant = pairs.Allocate(Ids{"0000-04-00-0-s0-00000000"}).value();
  EXPECT_EQ(PathsOf(grant), (Ids{"/dev/infiniband/rdma_cm", "/dev/infiniband/uverbs_mlx5_0"}));
  EXPECT_EQ(grant.env.at("NVIDIA_VISIBLE_DEVICES"), node.gpus[0].uuid);
  EXPECT_EQ(grant.env.at("NCCL_IB_HCA"), "=mlx5_0:1");
  EXPECT_EQ(grant.env.at("FAIRLEAD_PAIRS_FAIRLEAD_DEV_GPU_HCA"), node.gpus[0].uuid + " mlx5_0 PIX");
}

TEST(GpuHcaResource, SharesAnHcaOfSeveralPairs) {
  DevicepluginConfig config = Pairs();
  config.pools[0].slots = 2;
  const Offer offer = OfferOf(Machine(1, 1, 2), config);
  const Resource& pairs = Named(offer, "fairlead.dev/gpu-hca");
  const Ids ids = IdsOf(pairs);
  EXPECT_EQ(ids, (Ids{"0000-04-00-0-s0-00000000", "0000-04-00-0-s1-00000001"}));
  const Grant grant = pairs.Allocate(ids).value();
  EXPECT_EQ(grant.env.at("NCCL_IB_HCA"), "=mlx5_0:1");
  EXPECT_EQ(grant.nodes.size(), 2U);
}

}  // namespace
}  // namespace fairlead::deviceplugin
