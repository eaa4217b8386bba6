#include "deviceplugin/node/judge_node.h"

#include <gtest/gtest.h>

namespace fairlead::deviceplugin {
namespace {

Hca Infiniband(const std::string& name, const std::string& uverbs) {
  Hca hca;
  hca.name = name;
  hca.protocol = RdmaProtocol::kInfiniband;
  hca.pci = PciAddress{0, 0x3b, 0, 0};
  hca.uverbs = uverbs;
  HcaPort& port = hca.ports.emplace_back();
  port.link_layer = LinkLayer::kInfiniband;
  port.state = PortState::kActive;
  port.physical_state = PhysicalState::kLinkUp;
  return hca;
}

class JudgeNodeTest : public testing::Test {
 protected:
  JudgedNode Judge(std::vector<Hca> hcas) {
    now_ += Seconds(10);
    NodeInventory inventory;
    inventory.hcas = std::move(hcas);
    return JudgeNode(std::move(inventory), book_, {}, DevicepluginConfig(), {now_, now_});
  }
  // "uverbs0 healthy": what a container would open by this id, nothing where that has gone, and
  // what kubelet is told of it.
  static std::string Behind(const JudgedNode& judged, const std::string& id) {
    for (const auto& resource : judged.offer) {
      for (const OfferedDevice& device : resource->devices()) {
        if (device.id != id) continue;
        const auto grant = resource->Allocate(std::vector{id});
        const std::string path = grant && !grant->nodes.empty() ? grant->nodes[0].host_path : "";
        return path.substr(path.rfind('/') + 1) + (device.healthy ? " healthy" : " unhealthy");
      }
    }
    return "not offered";
  }

  HealthBook book_{HealthSettings{}};
  MonotonicTime now_{};
};

// Else a pod that is restarted would get another device than it had, by the same id.
TEST_F(JudgeNodeTest, TwoHcasOfOneFunctionKeepTheirIdsWhoeverOfThemVanishes) {
  const Hca a = Infiniband("a", "uverbs0"), b = Infiniband("b", "uverbs1");
  const JudgedNode both = Judge({a, b});
  std::string id_of_b;
  for (const WatchedHca& watched : both.state.watched) {
    if (watched.hca.name == "b") id_of_b = watched.id + "-s0";
  }
  ASSERT_EQ(Behind(both, "0000-3b-00-0-s0"), "uverbs0 healthy");
  ASSERT_EQ(Behind(both, id_of_b), "uverbs1 healthy");
  for (int i = 0; i < 2; ++i) {
    const JudgedNode alone = Judge({b});
    EXPECT_EQ(Behind(alone, id_of_b), "uverbs1 healthy");
    EXPECT_EQ(Behind(alone, "0000-3b-00-0-s0"), " unhealthy");
  }
  EXPECT_EQ(Behind(Judge({b, a}), id_of_b), "uverbs1 healthy");
  const JudgedNode other = Judge({a});
  EXPECT_EQ(Behind(other, id_of_b), " unhealthy");
  EXPECT_TRUE(Behind(other, "0000-3b-00-0-s0").starts_with("uverbs0"));
}

}  // namespace
}  // namespace fairlead::deviceplugin
