// The file of a container with all HCAs of a host, for whole hosts, beside what it must be.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "deviceplugin/allocation/make_offer.h"
#include "deviceplugin/discovery/read_inventory.h"
#include "deviceplugin/doctor/nccl_conf.h"
#include "tests/deviceplugin/discovery/manifest_files.h"

namespace fairlead::deviceplugin {
namespace {

std::string Contents(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// Of Hong Kong, 36 ms and 100 Gbps from Singapore.
SiteLines Lines() {
  LineFacts line;
  line.peer = "sg";
  line.rtt = Nanoseconds(Milliseconds(36));
  line.rtt_source = RttSource::kMeasured;
  line.rtt_age = Seconds(3);
  line.loss = {0.0, 0.00012};
  line.capacity_bits_per_second = std::uint64_t{100'000'000'000};
  return {.site = "hk", .lines = {line}};
}

std::string ConfOf(const std::string& host) {
  const ManifestFiles files(Contents("tests/testdata/hosts/" + host + ".txt"));
  const NodeInventory inventory = ReadInventory(files, {});
  DevicepluginConfig config;
  config.pools[0].network = PodNetwork::kHost;
  config.pools[0].nccl_conf = true;
  config.pools[0].priority.traffic_class = 106;
  const Offer offer = MakeOffer(inventory, MatchPools(inventory, config.pools), {}, config);
  const auto pool = std::find_if(offer.begin(), offer.end(), [](const auto& resource) {
    return resource->name() == "rdma/hca";
  });
  std::vector<std::string> ids;
  for (const OfferedDevice& device : (*pool)->devices()) ids.push_back(device.id);
  const Grant grant = (*pool)->Allocate(ids).value();
  std::map<std::string, std::string> env;
  for (const auto& [variable, value] : grant.env) {
    if (FitsNcclConf(variable, value)) env.emplace(variable, value);
  }
  return NcclConfText(
      {.job = *grant.nccl, .env = env, .lines = Lines(), .default_route = std::string("eno1")});
}

class WholeHostConfTest : public testing::TestWithParam<const char*> {};

TEST_P(WholeHostConfTest, GivesTheExpectedFile) {
  const std::string host = GetParam();
  EXPECT_EQ(ConfOf(host), Contents("tests/testdata/nccl_conf/" + host + ".conf"));
}

std::string TestName(const testing::TestParamInfo<const char*>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Hosts, WholeHostConfTest,
                         testing::Values("connectx-dual-port", "connectx-lag", "bnxt", "infiniband",
                                         "rxe", "irdma"),
                         TestName);

}  // namespace
}  // namespace fairlead::deviceplugin
