// A container from its Allocate to its restarts, over real gRPC: the grant, the mount, the file.
#include "deviceplugin/nccl_conf/late_nccl.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <mutex>

#include "common/base/file.h"
#include "deviceplugin/allocation/make_offer.h"
#include "deviceplugin/kubelet/plugin_server.h"
#include "tests/common/support/temp_directory.h"
#include "tests/deviceplugin/allocation/machines.h"
#include "tests/deviceplugin/kubelet/plugin_client.h"

namespace fairlead::deviceplugin {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;
using testing::Key;
using testing::Not;
using Ids = std::vector<std::string>;

const Ids kIds{"0000-04-00-0-s0", "0000-05-00-0-s0"};

class LateNcclTest : public testing::Test {
 protected:
  LateNcclTest() {
    config_.pools[0].nccl_conf = true;
    config_.pools[0].network = PodNetwork::kHost;
    NodeInventory node = Machine(1, 2, 0);
    for (Hca& hca : node.hcas) hca.ports[0].rate_bits_per_second = 100'000'000'000;
    Publish(node);
    server_ = PluginServer::Start({.resource = "rdma/hca",
                                   .socket_path = temp_.path() / "s1.sock",
                                   .late_settings = LateNccl(files_, Sources())},
                                  offer_, tally_, [] {})
                  .value();
    kubelet_ = std::make_unique<PluginClient>(server_->socket_path(), "localhost", [] {});
  }

  void Publish(const NodeInventory& node) {
    offer_.Publish(MakeOffer(node, MatchPools(node, config_.pools), {}, config_));
  }
  LateSources Sources() {
    return {.lines =
                [this] {
                  const std::lock_guard lock(mutex_);
                  return lines_;
                },
            .default_route = [] { return Known<std::string>(std::string("eno1")); }};
  }
  void SetRtt(Nanoseconds rtt) {
    LineFacts line;
    line.peer = "sg";
    line.rtt = rtt;
    line.rtt_source = RttSource::kMeasured;
    line.capacity_bits_per_second = std::uint64_t{100'000'000'000};
    const std::lock_guard lock(mutex_);
    lines_ = SiteLines{.site = "hk", .lines = {line}};
  }
  ::v1beta1::ContainerAllocateResponse Allocate() {
    ::v1beta1::AllocateResponse response;
    EXPECT_TRUE(kubelet_->Allocate(kIds, &response).ok());
    return response.container_responses(0);
  }
  void StartContainer() {
    grpc::ClientContext context;
    ::v1beta1::PreStartContainerRequest request;
    for (const std::string& id : {kIds[1], kIds[0]}) request.add_devices_ids(id);
    ::v1beta1::PreStartContainerResponse response;
    EXPECT_TRUE(kubelet_->plugin().PreStartContainer(&context, request, &response).ok());
  }
  std::string Contents(const ::v1beta1::ContainerAllocateResponse& granted) {
    const auto text = ReadFile(granted.mounts(0).host_path(), 65536);
    return text ? *text : "(" + text.error().message + ")";
  }

  const TempDirectory temp_;
  const fs::path directory_ = temp_.path() / "confs";
  ConfFiles files_{directory_};
  DevicepluginConfig config_;
  std::mutex mutex_;
  Known<SiteLines> lines_ = Known<SiteLines>::Not("linkprobe was not heard");
  Snapshot<Offer> offer_;
  ServiceTally tally_;
  std::unique_ptr<PluginServer> server_;
  std::unique_ptr<PluginClient> kubelet_;
};

TEST_F(LateNcclTest, TheFileComesInPlaceOfNcclsVariables) {
  SetRtt(Milliseconds(30));
  const auto granted = Allocate();
  ASSERT_EQ(granted.mounts_size(), 1);
  EXPECT_EQ(granted.mounts(0).container_path(), "/etc/fairlead-nccl.conf");
  EXPECT_TRUE(granted.mounts(0).read_only());
  EXPECT_EQ(granted.mounts(0).host_path(),
            directory_ / ConfFileName("rdma/hca", Ids{kIds[1], kIds[0]}));
  EXPECT_EQ(granted.envs().at("NCCL_CONF_FILE"), "/etc/fairlead-nccl.conf");
  for (const auto& [variable, value] : granted.envs()) {
    EXPECT_TRUE(variable == "NCCL_CONF_FILE" || !variable.starts_with("NCCL_")) << variable;
  }
  EXPECT_EQ(granted.envs().at("UCX_NET_DEVICES"), "mlx5_0:1,mlx5_1:1");
  const std::string text = Contents(granted);
  EXPECT_THAT(text, HasSubstr("\nNCCL_IB_HCA==mlx5_0:1,mlx5_1:1\n"));
  EXPECT_THAT(text, HasSubstr("\nNCCL_IB_GID_INDEX=3\n"));
  EXPECT_THAT(text, HasSubstr("\nNCCL_BUFFSIZE=33554432\n"));
  EXPECT_THAT(text, HasSubstr("\nNCCL_SOCKET_IFNAME==eno1\n"));
}

TEST_F(LateNcclTest, ARestartedContainerGetsTodaysValues) {
  SetRtt(Milliseconds(30));
  const auto granted = Allocate();
  SetRtt(Milliseconds(120));
  EXPECT_THAT(Contents(granted), HasSubstr("NCCL_MIN_CTAS=12\n"));
  StartContainer();
  EXPECT_THAT(Contents(granted), HasSubstr("(120 ms, 100 Gbps)"));
  EXPECT_THAT(Contents(granted), HasSubstr("NCCL_MIN_CTAS=23\n"));
  EXPECT_EQ(files_.counts().written, 2U);
}

TEST_F(LateNcclTest, WithoutFactsOfALineWhatNeedsNoneIsSet) {
  const std::string text = Contents(Allocate());
  EXPECT_THAT(text, HasSubstr("No facts of a line: linkprobe was not heard"));
  EXPECT_THAT(text, HasSubstr("\nNCCL_IB_TIMEOUT=20\n"));
  EXPECT_THAT(text, Not(HasSubstr("\nNCCL_BUFFSIZE=")));
}

TEST_F(LateNcclTest, WhereNoFileCanBeWrittenTheVariablesStayInTheGrant) {
  temp_.Write("confs", "in the way");
  const auto granted = Allocate();
  EXPECT_EQ(granted.mounts_size(), 0);
  EXPECT_THAT(granted.envs(), Not(Contains(Key("NCCL_CONF_FILE"))));
  EXPECT_EQ(granted.envs().at("NCCL_IB_TIMEOUT"), "20");
  EXPECT_EQ(granted.envs().at("NCCL_IB_HCA"), "=mlx5_0:1,mlx5_1:1");
  EXPECT_EQ(files_.counts().without, 1U);
}

TEST_F(LateNcclTest, AStartThatCannotWriteGoesOnWithTheLastFile) {
  SetRtt(Milliseconds(30));
  const auto granted = Allocate();
  const std::string name = fs::path(granted.mounts(0).host_path()).filename();
  fs::create_directory(directory_ / ("." + name + ".new"));  // where the new bytes go first
  SetRtt(Milliseconds(120));
  StartContainer();
  EXPECT_THAT(Contents(granted), HasSubstr("(30 ms, 100 Gbps)"));
  EXPECT_EQ(files_.counts().kept, 1U);
  EXPECT_EQ(tally_.start_failures, 0U);
}

TEST_F(LateNcclTest, AStartWithoutItsHcaGoesOnWithTheLastFile) {
  SetRtt(Milliseconds(30));
  const auto granted = Allocate();
  Publish(Machine(1, 1, 0));
  SetRtt(Milliseconds(120));
  StartContainer();
  EXPECT_THAT(Contents(granted), HasSubstr("(30 ms, 100 Gbps)"));
  EXPECT_EQ(tally_.start_failures, 1U);
}

TEST_F(LateNcclTest, APoolThatDoesNotAskKeepsItsVariables) {
  config_.pools[0].nccl_conf = false;
  Publish(Machine(1, 2, 0));
  const auto granted = Allocate();
  StartContainer();
  EXPECT_EQ(granted.mounts_size(), 0);
  EXPECT_EQ(granted.envs().at("NCCL_IB_TIMEOUT"), "20");
  EXPECT_FALSE(fs::exists(directory_));
}

}  // namespace
}  // namespace fairlead::deviceplugin
