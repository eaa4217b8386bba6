#include "deviceplugin/doctor_facts/queue_pairs.h"

#include <gmock/gmock.h>
#include <linux/netlink.h>
#include <rdma/rdma_netlink.h>

#include <cerrno>

#include "deviceplugin/doctor_facts/holders.h"
#include "deviceplugin/doctor_facts/read_facts.h"
#include "tests/deviceplugin/doctor_facts/netlink_bytes.h"

namespace fairlead::deviceplugin {
namespace {

std::string Entry(std::uint16_t owner, const std::string& value) {
  return Attribute(
      RDMA_NLDEV_ATTR_RES_QP_ENTRY | NLA_F_NESTED,
      Attribute(RDMA_NLDEV_ATTR_RES_LQPN, Bytes(std::uint32_t{17})) + Attribute(owner, value));
}

TEST(QueuePairsTest, OwnersOfAMessage) {
  const std::string message =
      Attribute(RDMA_NLDEV_ATTR_DEV_INDEX, Bytes(std::uint32_t{2})) +
      Attribute(RDMA_NLDEV_ATTR_DEV_NAME, std::string("mlx5_2\0", 7)) +
      Attribute(RDMA_NLDEV_ATTR_RES_QP | NLA_F_NESTED,
                Entry(RDMA_NLDEV_ATTR_RES_KERN_NAME, std::string("ib_core\0", 8)) +
                    Entry(RDMA_NLDEV_ATTR_RES_PID, Bytes(std::uint32_t{812})) +
                    Entry(RDMA_NLDEV_ATTR_RES_PID, Bytes(std::uint32_t{812})));
  EXPECT_THAT(OwnersIn(message), testing::ElementsAre(812, 812));
  const auto device = DeviceIn(message);
  ASSERT_TRUE(device);
  EXPECT_EQ(device->name, "mlx5_2");
  EXPECT_EQ(device->index, 2U);
  for (std::size_t size = 0; size < message.size(); ++size) {
    EXPECT_LE(OwnersIn(std::string_view(message).substr(0, size)).size(), 2U);
    DeviceIn(std::string_view(message).substr(0, size));
  }
}

TEST(QueuePairsTest, ADumpInParts) {
  const std::string two = Datagram(1, "12345678") + Datagram(1, "abcdefgh");
  const DumpPart more = SplitDump(two);
  EXPECT_THAT(more.messages, testing::ElementsAre("12345678", "abcdefgh"));
  EXPECT_FALSE(more.last);
  const std::string end = Datagram(1, "12345678") + Datagram(NLMSG_DONE, Bytes(0));
  EXPECT_TRUE(SplitDump(end).last);
  nlmsgerr error{};
  error.error = -EPERM;
  EXPECT_EQ(SplitDump(Datagram(NLMSG_ERROR, Bytes(error))).error, EPERM);
  EXPECT_EQ(SplitDump(two.substr(0, two.size() - 1)).error, EBADMSG);
  EXPECT_TRUE(SplitDump("").messages.empty());
}

TEST(HoldersTest, SlotsOfADevice) {
  EXPECT_TRUE(IsSlotOf("0000-3b-00-0-s0", "0000-3b-00-0"));
  EXPECT_TRUE(IsSlotOf("0000-3b-00-0-s12", "0000-3b-00-0"));
  EXPECT_TRUE(IsSlotOf("0000-3b-00-0-s0-8f6d0c2a", "0000-3b-00-0"));  // in a pair with a GPU
  EXPECT_FALSE(IsSlotOf("0000-3b-00-0-sf88-s0", "0000-3b-00-0"));
  EXPECT_FALSE(IsSlotOf("0000-3b-00-0-s8f-s0", "0000-3b-00-0"));
  EXPECT_FALSE(IsSlotOf("0000-3b-00-0-s", "0000-3b-00-0"));
  EXPECT_FALSE(IsSlotOf("0000-3b-00-0", "0000-3b-00-0"));
  EXPECT_FALSE(IsSlotOf("0000-3b-00-01-s0", "0000-3b-00-0"));
}

TEST(HoldersTest, ByTheIdsOfTheDevices) {
  NodeState state;
  WatchedHca watched;
  watched.hca.name = "mlx5_0";
  watched.id = "0000-3b-00-0";
  watched.present = true;
  state.watched = {watched};
  NodeFacts facts;
  facts.inventory.hcas = {watched.hca, Hca{}};
  facts.hcas.resize(2);
  AddHolders({}, state, facts);
  EXPECT_FALSE(facts.hcas[0].holders);
  const PodHoldings holdings{
      .holdings = {{"team", "b", "main", "rdma/hca", {"0000-3b-00-0-s1"}},
                   {"team", "a", "main", "rdma/hca", {"0000-3b-00-0-s0", "0000-5e-00-0-s0"}},
                   {"team", "c", "main", "fairlead.dev/probe", {"probe-0"}}},
      .read_at = MonotonicTime(Seconds(1))};
  AddHolders(holdings, state, facts);
  EXPECT_THAT(*facts.hcas[0].holders, testing::ElementsAre("team/a/main", "team/b/main"));
  EXPECT_TRUE(facts.hcas[1].holders->empty());
}

}  // namespace
}  // namespace fairlead::deviceplugin
