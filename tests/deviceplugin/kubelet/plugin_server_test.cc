// One resource's server as kubelet meets it: real gRPC on a real socket.
#include "deviceplugin/kubelet/plugin_server.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <numeric>
#include <thread>

#include "tests/common/support/eventually.h"
#include "tests/common/support/temp_directory.h"
#include "tests/deviceplugin/kubelet/fake_resource.h"
#include "tests/deviceplugin/kubelet/plugin_client.h"

namespace fairlead::deviceplugin {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class PluginServerTest : public testing::Test {
 protected:
  PluginServerTest() {
    Offer({Device("hca-0", true, {0, 1}), Device("hca-1", false, {-1}), Device("hca-2")});
    server_ = Start("s1.sock");
  }

  void Offer(std::vector<OfferedDevice> devices) {
    offer_.Publish({MakeFake("rdma/hca", std::move(devices))});
  }
  std::unique_ptr<PluginServer> Start(const std::string& name, bool plugins_registry = false) {
    auto server = PluginServer::Start({.resource = "rdma/hca",
                                       .socket_path = directory_.path() / name,
                                       .plugins_registry = plugins_registry,
                                       .late_settings = Recorder()},
                                      offer_, tally_, [this] { signal_.Notify(); });
    EXPECT_TRUE(server) << server.error().message;
    return *std::move(server);
  }
  // Notes each call and gives the container one variable more.
  LateSettings Recorder() {
    return [this](const ContainerCall& call, Grant& grant) {
      std::string ids;
      for (const std::string& id : call.ids) ids += id + " ";
      const bool start = call.moment == ContainerMoment::kStart;
      const std::lock_guard lock(late_mutex_);
      late_.push_back(std::string(call.resource) + (start ? " start " : " allocate ") + ids +
                      (grant.nccl ? "late" : ""));
      if (grant.nccl) grant.env["LATE"] = "1";
    };
  }
  std::vector<std::string> Late() {
    const std::lock_guard lock(late_mutex_);
    return late_;
  }
  grpc::Status PreStart(const std::vector<std::string>& ids) {
    grpc::ClientContext context;
    ::v1beta1::PreStartContainerRequest request;
    for (const std::string& id : ids) request.add_devices_ids(id);
    ::v1beta1::PreStartContainerResponse response;
    return Dial()->plugin().PreStartContainer(&context, request, &response);
  }
  std::unique_ptr<PluginClient> Dial(const std::string& authority = "localhost") {
    return std::make_unique<PluginClient>(server_->socket_path(), authority,
                                          [this] { signal_.Notify(); });
  }
  bool HasLists(const PluginClient& client, std::size_t count) {
    return signal_.WaitUntil([&] { return client.lists().size() >= count; });
  }
  bool Ended(const PluginClient& client) {
    return signal_.WaitUntil([&] { return !client.watching(); });
  }

  TempDirectory directory_;
  Signal signal_;
  Snapshot<deviceplugin::Offer> offer_;
  ServiceTally tally_;
  std::mutex late_mutex_;
  std::vector<std::string> late_;
  std::unique_ptr<PluginServer> server_;
};

TEST_F(PluginServerTest, OffersPreferencesAndNoCallBeforeAStartUnlessTheResourceWantsOne) {
  ::v1beta1::DevicePluginOptions options;
  EXPECT_TRUE(server_->options_stand()) << "nobody has been told any";
  ASSERT_TRUE(Dial()->Options(&options).ok());
  EXPECT_TRUE(options.get_preferred_allocation_available());
  EXPECT_FALSE(options.pre_start_required());
  EXPECT_TRUE(server_->options_stand());

  offer_.Publish({MakeFake("rdma/hca", {Device("hca-0")}, true)});
  EXPECT_FALSE(server_->options_stand());
  ASSERT_TRUE(Dial()->Options(&options).ok());
  EXPECT_TRUE(options.pre_start_required());
  EXPECT_TRUE(server_->options_stand());

  offer_.Publish({});
  EXPECT_TRUE(server_->options_stand()) << "a moment without the resource changes nothing";
}

TEST_F(PluginServerTest, LateSettingsComeWithEachGrantAndBeforeEachStart) {
  offer_.Publish({MakeFake("rdma/hca", {Device("hca-0"), Device("hca-1")}, true)});
  ::v1beta1::AllocateResponse response;
  ASSERT_TRUE(Dial()->Allocate({"hca-1", "hca-0"}, &response).ok());
  EXPECT_EQ(response.container_responses(0).envs().at("LATE"), "1");
  EXPECT_TRUE(PreStart({"hca-0", "hca-1"}).ok());
  EXPECT_TRUE(PreStart({"hca-0", "hca-1"}).ok());
  EXPECT_THAT(Late(),
              ElementsAre("rdma/hca allocate hca-1 hca-0 late", "rdma/hca start hca-0 hca-1 late",
                          "rdma/hca start hca-0 hca-1 late"));
  EXPECT_EQ(tally_.starts, 2U);
  EXPECT_EQ(tally_.start_failures, 0U);
}

TEST_F(PluginServerTest, AStartIsNeverRefused) {
  EXPECT_TRUE(PreStart({"hca-9"}).ok()) << "an id that is not offered any more";
  EXPECT_TRUE(PreStart({"throw"}).ok());
  offer_.Publish({});
  EXPECT_TRUE(PreStart({"hca-0"}).ok());
  EXPECT_EQ(tally_.starts, 3U);
  EXPECT_EQ(tally_.start_failures, 3U);
  EXPECT_TRUE(Late().empty());
}

TEST_F(PluginServerTest, AnswersUnderEveryAuthorityThatKubeletSends) {
  for (const std::string& authority :
       {std::string("localhost"), server_->socket_path(), std::string("%2Frun%2Fs1.sock")}) {
    ::v1beta1::DevicePluginOptions options;
    EXPECT_TRUE(Dial(authority)->Options(&options).ok()) << authority;
  }
}

TEST_F(PluginServerTest, TheWholeListComesAtOnce) {
  const auto client = Dial();
  client->Watch();
  ASSERT_TRUE(HasLists(*client, 1));
  const auto list = client->lists().front();
  ASSERT_EQ(list.devices_size(), 3);
  EXPECT_EQ(list.devices(0).id(), "hca-0");
  EXPECT_EQ(list.devices(0).health(), "Healthy");
  ASSERT_EQ(list.devices(0).topology().nodes_size(), 2);
  EXPECT_EQ(list.devices(0).topology().nodes(1).id(), 1);
  EXPECT_EQ(list.devices(1).health(), "Unhealthy");
  EXPECT_FALSE(list.devices(1).has_topology()) << "kubelet would take -1 for a node";
  EXPECT_FALSE(list.devices(2).has_topology());
}

TEST_F(PluginServerTest, AnEmptyListIsSentToo) {
  Offer({});
  server_->Refresh();
  const auto client = Dial();
  client->Watch();
  ASSERT_TRUE(HasLists(*client, 1));
  EXPECT_EQ(client->lists().front().devices_size(), 0);
}

TEST_F(PluginServerTest, ChangesAreSentAndNothingElse) {
  const auto client = Dial();
  client->Watch();
  ASSERT_TRUE(HasLists(*client, 1));
  Offer({Device("hca-0", true, {0, 1}), Device("hca-1", false, {-1}), Device("hca-2")});
  server_->Refresh();  // another offer, the same devices
  offer_.Publish({});
  server_->Refresh();  // a moment without the resource is no empty list
  Offer({Device("hca-0", false)});
  server_->Refresh();
  ASSERT_TRUE(HasLists(*client, 2));
  ASSERT_EQ(client->lists()[1].devices_size(), 1);
  EXPECT_EQ(client->lists()[1].devices(0).health(), "Unhealthy");
  EXPECT_EQ(tally_.lists, 2U);
}

TEST_F(PluginServerTest, AReaderThatReadsNothingHoldsUpNobodyAndSkipsToTheNewest) {
  const auto slow = Dial();
  grpc::ClientContext context;
  const auto stalled = slow->plugin().ListAndWatch(&context, {});
  const auto client = Dial();
  client->Watch();
  ASSERT_TRUE(HasLists(*client, 1));
  ASSERT_TRUE(signal_.WaitUntil([&] { return server_->streams_open() == 2; }));
  // Far more than a connection's flow control lets pass unread.
  constexpr int kChanges = 100;
  for (int change = 1; change <= kChanges; ++change) {
    std::vector<OfferedDevice> devices(2'000, Device(std::string(63, 'x')));
    devices.front().id = "change-" + std::to_string(change);
    Offer(std::move(devices));
    server_->Refresh();
  }
  const auto is_last = [](const ::v1beta1::ListAndWatchResponse& list) {
    return list.devices(0).id() == "change-" + std::to_string(kChanges);
  };
  ASSERT_TRUE(signal_.WaitUntil([&] { return is_last(client->lists().back()); }));
  ::v1beta1::ListAndWatchResponse list;
  int read = 0;
  do {
    ASSERT_TRUE(stalled->Read(&list));
    ++read;
  } while (!is_last(list));
  EXPECT_LT(read, kChanges);
  context.TryCancel();
}

TEST_F(PluginServerTest, AStreamThatKubeletCancelsIsNoticed) {
  const auto client = Dial();
  client->Watch();
  ASSERT_TRUE(HasLists(*client, 1));
  EXPECT_EQ(server_->streams_open(), 1U);
  client->CancelWatch();
  EXPECT_TRUE(signal_.WaitUntil([&] { return server_->streams_open() == 0; }));
  EXPECT_EQ(server_->streams_opened(), 1U);
}

TEST_F(PluginServerTest, TheEndIsClean) {
  const auto client = Dial();
  client->Watch();
  ASSERT_TRUE(HasLists(*client, 1));
  const std::string path = server_->socket_path();
  server_.reset();
  ASSERT_TRUE(Ended(*client));
  EXPECT_TRUE(client->end().ok()) << client->end().error_message();
  EXPECT_EQ(client->lists().size(), 1U) << "the devices stay until the next run is there";
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(PluginServerTest, AWithdrawnResourceEndsWithAnEmptyList) {
  const auto client = Dial();
  client->Watch();
  ASSERT_TRUE(HasLists(*client, 1));
  server_->Withdraw();
  ASSERT_TRUE(Ended(*client));
  EXPECT_TRUE(client->end().ok());
  ASSERT_EQ(client->lists().size(), 2U);
  EXPECT_EQ(client->lists()[1].devices_size(), 0);
}

TEST_F(PluginServerTest, AllocateHandsOutWhatTheResourceGrants) {
  ::v1beta1::AllocateRequest request;
  request.add_container_requests()->add_devices_ids("hca-0");
  request.add_container_requests()->add_devices_ids("hca-1");
  grpc::ClientContext context;
  ::v1beta1::AllocateResponse response;
  ASSERT_TRUE(Dial()->plugin().Allocate(&context, request, &response).ok());
  ASSERT_EQ(response.container_responses_size(), 2);
  const auto& first = response.container_responses(0);
  EXPECT_EQ(first.envs().at("HCA"), "hca-0,");
  ASSERT_EQ(first.devices_size(), 1);
  EXPECT_EQ(first.devices(0).host_path(), "/dev/hca-0");
  EXPECT_EQ(first.devices(0).container_path(), "/dev/hca-0");
  EXPECT_EQ(first.devices(0).permissions(), "rw");
  EXPECT_TRUE(first.mounts(0).read_only());
  EXPECT_EQ(first.cdi_devices(0).name(), "fairlead.dev/hca=hca-0");
  EXPECT_EQ(response.container_responses(1).envs().at("HCA"), "hca-1,");
  EXPECT_EQ(tally_.allocations, 1U);
}

TEST_F(PluginServerTest, AnAllocateThatCannotBeGrantedSaysWhyAndIsCounted) {
  const auto client = Dial();
  ::v1beta1::AllocateResponse response;
  grpc::Status status = client->Allocate({"hca-0", "hca-9"}, &response);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_THAT(status.error_message(), HasSubstr("rdma/hca: no device hca-9"));
  EXPECT_EQ(client->Allocate({}, &response).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  grpc::ClientContext context;
  status = client->plugin().Allocate(&context, {}, &response);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  status = client->Allocate({"throw"}, &response);
  EXPECT_THAT(status.error_message(), HasSubstr("a fault"));
  offer_.Publish({});
  status = client->Allocate({"hca-0"}, &response);
  EXPECT_THAT(status.error_message(), HasSubstr("rdma/hca is not offered any more"));
  EXPECT_EQ(tally_.allocations, 5U);
  EXPECT_EQ(tally_.allocation_failures, 5U);
}

TEST_F(PluginServerTest, APreferenceIsAHintAndNeverAnError) {
  const auto client = Dial();
  ::v1beta1::PreferredAllocationRequest request;
  auto& container = *request.add_container_requests();
  for (const char* id : {"hca-0", "hca-1", "hca-2"}) container.add_available_deviceids(id);
  container.add_must_include_deviceids("hca-2");
  const auto ask = [&](int size) {
    request.mutable_container_requests(0)->set_allocation_size(size);
    grpc::ClientContext context;
    ::v1beta1::PreferredAllocationResponse response;
    const grpc::Status status =
        client->plugin().GetPreferredAllocation(&context, request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    EXPECT_EQ(response.container_responses_size(), 1);
    const auto& ids = response.container_responses(0).deviceids();
    return std::vector<std::string>(ids.begin(), ids.end());
  };
  EXPECT_THAT(ask(2), ElementsAre("hca-2", "hca-0"));
  EXPECT_THAT(ask(-1), ElementsAre("hca-2"));
  EXPECT_EQ(tally_.preference_failures, 0U);
  EXPECT_THAT(ask(13), ElementsAre()) << "a fault: kubelet chooses by itself";
  offer_.Publish({});
  EXPECT_THAT(ask(2), ElementsAre());
  EXPECT_EQ(tally_.preferences, 4U);
  EXPECT_EQ(tally_.preference_failures, 2U);
}

TEST_F(PluginServerTest, AThousandAllocatesWhileTheDevicesChange) {
  const auto client = Dial();
  client->Watch();
  std::jthread changes([this](const std::stop_token& stop) {
    for (bool healthy = false; !stop.stop_requested(); healthy = !healthy) {
      Offer({Device("hca-0", healthy), Device("hca-1")});
      server_->Refresh();
    }
  });
  for (int i = 0; i < 1000; ++i) {
    ::v1beta1::AllocateResponse response;
    ASSERT_TRUE(client->Allocate({"hca-1", "hca-0"}, &response).ok());
    ASSERT_EQ(response.container_responses(0).envs().at("HCA"), "hca-1,hca-0,");
  }
  changes = {};
  EXPECT_EQ(tally_.allocations, 1000U);
  const CallCounts durations = tally_.allocation_durations.counts();
  EXPECT_EQ(std::accumulate(durations.calls.begin(), durations.calls.end(), std::uint64_t{0}),
            1000U);
  EXPECT_EQ(tally_.allocation_failures, 0U);
}

TEST_F(PluginServerTest, ASuccessorsSocketSurvivesItsPredecessorsEnd) {
  const auto successor = Start("s2.sock");
  server_.reset();
  EXPECT_TRUE(successor->own_socket_present());
  ::v1beta1::DevicePluginOptions options;
  EXPECT_TRUE(PluginClient(successor->socket_path(), "", [] {}).Options(&options).ok());
}

TEST_F(PluginServerTest, ALostSocketIsNoticed) {
  EXPECT_TRUE(server_->own_socket_present());
  std::filesystem::remove(server_->socket_path());
  EXPECT_FALSE(server_->own_socket_present());
  directory_.Write("s1.sock", "no socket");
  EXPECT_FALSE(server_->own_socket_present());
}

TEST_F(PluginServerTest, AMissingDirectoryIsNamed) {
  const auto server = PluginServer::Start(
      {.resource = "rdma/hca", .socket_path = directory_.path() / "missing" / "s.sock"}, offer_,
      tally_, [] {});
  ASSERT_FALSE(server);
  EXPECT_EQ(server.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(server.error().message, HasSubstr("missing"));
}

TEST_F(PluginServerTest, InPluginsRegistryItTellsWhatItIs) {
  server_ = Start("r.sock", true);
  const auto client = Dial(server_->socket_path());
  ::pluginregistration::PluginInfo info;
  grpc::ClientContext ask;
  ASSERT_TRUE(client->registration().GetInfo(&ask, {}, &info).ok());
  EXPECT_EQ(info.type(), "DevicePlugin");
  EXPECT_EQ(info.name(), "rdma/hca");
  EXPECT_EQ(info.endpoint(), "");
  EXPECT_THAT(info.supported_versions(), ElementsAre("v1beta1"));

  const auto notify = [&](bool registered) {
    ::pluginregistration::RegistrationStatus status;
    status.set_plugin_registered(registered);
    if (!registered) status.set_error("no room\n");
    grpc::ClientContext context;
    ::pluginregistration::RegistrationStatusResponse response;
    return client->registration().NotifyRegistrationStatus(&context, status, &response).ok();
  };
  EXPECT_TRUE(notify(false));
  EXPECT_FALSE(server_->notified());
  EXPECT_THAT(tally_.LastError(), HasSubstr("no room"));
  EXPECT_TRUE(notify(true));
  EXPECT_TRUE(server_->notified());
  EXPECT_EQ(tally_.LastError(), "");
}

TEST_F(PluginServerTest, InLegacyModeKubeletFindsNoRegistrationService) {
  ::pluginregistration::PluginInfo info;
  grpc::ClientContext context;
  EXPECT_EQ(Dial()->registration().GetInfo(&context, {}, &info).error_code(),
            grpc::StatusCode::UNIMPLEMENTED);
}

}  // namespace
}  // namespace fairlead::deviceplugin
