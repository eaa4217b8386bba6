// What `list` prints of whole hosts, beside what it must print.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "deviceplugin/cli/describe_node.h"
#include "tests/deviceplugin/cli/host_state.h"

namespace fairlead::deviceplugin {
namespace {

constexpr const char* kGolden = "tests/testdata/list";

std::string Golden(const std::string& name) {
  std::ostringstream text;
  text << std::ifstream(std::string(kGolden) + "/" + name).rdbuf();
  return text.str();
}

std::vector<std::string> Names(const std::string& directory, const std::string& extension) {
  std::vector<std::string> hosts;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    if (entry.path().extension() == extension) hosts.push_back(entry.path().stem());
  }
  std::sort(hosts.begin(), hosts.end());
  return hosts;
}

// The RoCE HCAs that are no virtual functions, under two priorities.
DevicepluginConfig TwoPriorities() {
  DevicepluginConfig config;
  config.pools[0].slots = 2;
  config.pools[0].network = PodNetwork::kHost;
  config.pools[0].select.link_types = {LinkLayer::kEthernet};
  config.pools[0].select.functions = {FunctionChoice::kPhysical, FunctionChoice::kNone};
  PoolConfig bulk;
  bulk.resource = "rdma/hca-bulk";
  bulk.priority_of = "rdma/hca";
  config.pools.push_back(bulk);
  return config;
}

class ListTest : public testing::TestWithParam<std::string> {};

TEST_P(ListTest, ReadsAsAPersonNeedsIt) {
  const DevicepluginConfig config = TwoPriorities();
  const NodeState state = FirstState(GetParam(), config);
  const Offer offer = OfferFor(state, config);
  EXPECT_EQ(NodeAsText({.state = state, .offer = offer, .pools = config.pools}),
            Golden(GetParam() + ".txt"));
}

std::string TestName(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Hosts, ListTest, testing::ValuesIn(Names("tests/testdata/hosts", ".txt")),
                         TestName);

TEST(ListJsonTest, TellsAll) {
  DevicepluginConfig config = TwoPriorities();
  config.gpus.advertise = true;
  const std::vector<std::string> hosts = Names(kGolden, ".json");
  EXPECT_EQ(hosts.size(), 2U);
  for (const std::string& host : hosts) {
    SCOPED_TRACE(host);
    const NodeState state = FirstState(host, config);
    const PodHoldings holdings{
        .holdings = {{"team", "trainer-0", "main", "rdma/hca", {"0000-3b-00-0-s0"}}},
        .read_at = MonotonicTime(Seconds(9))};
    const Offer offer = OfferFor(state, config);
    const NodeListing listing{
        .state = state, .offer = offer, .pools = config.pools, .holdings = &holdings};
    EXPECT_EQ(NodeAsJson(listing), Golden(host + ".json"));
  }
}

}  // namespace
}  // namespace fairlead::deviceplugin
