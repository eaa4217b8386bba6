// The link against a kubelet that restarts, refuses, hangs and vanishes: real gRPC on real sockets.
#include "deviceplugin/kubelet/kubelet_link.h"

#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <atomic>
#include <cstring>
#include <filesystem>

#include "common/base/file_descriptor.h"
#include "deviceplugin/kubelet/socket_name.h"
#include "tests/common/support/temp_directory.h"
#include "tests/deviceplugin/kubelet/fake_kubelet.h"
#include "tests/deviceplugin/kubelet/fake_resource.h"

namespace fairlead::deviceplugin {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// A socket file that nobody serves, as a process that was killed leaves it.
void LeaveDeadSocket(const std::string& path) {
  const FileDescriptor fd(socket(AF_UNIX, SOCK_STREAM, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  ASSERT_EQ(bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
}

std::vector<std::string> SocketsIn(const fs::path& directory) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(directory)) {
    const std::string name = entry.path().filename();
    if (entry.is_socket() && name != "kubelet.sock") names.push_back(name);
  }
  return names;
}

class KubeletLinkTest : public testing::Test {
 protected:
  KubeletLinkTest() {
    fs::create_directory(plugins_);
    fs::create_directory(registry_);
    offer_.Publish({MakeFake("fairlead.dev/probe", {Device("all")}),
                    MakeFake("rdma/hca", {Device("hca-0"), Device("hca-1")})});
  }

  std::unique_ptr<KubeletLink> Start(KubeletLinkOptions options = {}) {
    options.kubelet_directory = directory_.path();
    options.on_turn = [this] {
      ++turns_;
      kubelet_.signal().Notify();
    };
    auto link = KubeletLink::Start(std::move(options), offer_, clock_);
    EXPECT_TRUE(link) << link.error().message;
    return *std::move(link);
  }

  // So many more of the link.
  void WaitForTurns(int count) {
    const int until = turns_ + count;
    EXPECT_TRUE(kubelet_.signal().WaitUntil([&] { return turns_ >= until; }));
  }

  // Waits until the link says so of the resource.
  template <class Condition>
  bool Says(const KubeletLink& link, const std::string& resource, Condition condition) {
    return kubelet_.signal().WaitUntil([&] {
      for (const ResourceStatus& status : link.Status().resources) {
        if (status.resource == resource && condition(status)) return true;
      }
      return false;
    });
  }

  ResourceStatus StatusOf(const KubeletLink& link, const std::string& resource) {
    for (const ResourceStatus& status : link.Status().resources) {
      if (status.resource == resource) return status;
    }
    return {};
  }

  TempDirectory directory_;
  const fs::path plugins_ = directory_.path() / "device-plugins";
  const fs::path registry_ = directory_.path() / "plugins_registry";
  SystemClock clock_;
  Snapshot<Offer> offer_;
  std::atomic<int> turns_ = 0;
  FakeKubelet kubelet_{plugins_};
};

TEST_F(KubeletLinkTest, EveryResourceIsRegisteredOnASocketOfItsOwn) {
  kubelet_.Start();
  const auto link = Start();
  const auto hca = kubelet_.WaitConnected("rdma/hca");
  const auto probe = kubelet_.WaitConnected("fairlead.dev/probe");
  ASSERT_TRUE(hca && probe);
  EXPECT_EQ(hca->lists().front().devices_size(), 2);
  EXPECT_EQ(probe->lists().front().devices_size(), 1);
  EXPECT_EQ(kubelet_.calls(), 2);
  EXPECT_THAT(SocketsIn(plugins_), SizeIs(2));
  EXPECT_TRUE(Says(*link, "rdma/hca", [](const ResourceStatus& status) {
    return status.serving && status.registered && status.connected && status.registrations == 1 &&
           status.last_error.empty();
  }));
  EXPECT_TRUE(link->Status().kubelet_present);
}

TEST_F(KubeletLinkTest, AResourceThatComesToWantCallsBeforeStartsIsRegisteredAnew) {
  kubelet_.Start();
  const auto link = Start();
  ASSERT_TRUE(kubelet_.WaitConnected("rdma/hca"));
  ASSERT_TRUE(kubelet_.WaitConnected("fairlead.dev/probe"));
  const auto probe = kubelet_.Connected("fairlead.dev/probe");
  offer_.Publish({MakeFake("fairlead.dev/probe", {Device("all")}),
                  MakeFake("rdma/hca", {Device("hca-0"), Device("hca-1")}, true)});
  link->OfferChanged();
  const auto hca = kubelet_.WaitConnected("rdma/hca", 2);
  ASSERT_TRUE(hca);
  ::v1beta1::DevicePluginOptions options;
  ASSERT_TRUE(hca->Options(&options).ok());
  EXPECT_TRUE(options.pre_start_required());
  EXPECT_TRUE(Says(*link, "rdma/hca", [](const ResourceStatus& status) {
    return status.connected && status.registrations == 2;
  }));
  EXPECT_EQ(kubelet_.Connected("fairlead.dev/probe"), probe) << "which had nothing to change";
}

TEST_F(KubeletLinkTest, AKubeletAndADirectoryThatComeLaterAreWaitedFor) {
  fs::remove(plugins_);
  const auto link = Start();
  ASSERT_TRUE(
      Says(*link, "rdma/hca", [](const ResourceStatus& status) { return !status.serving; }));
  fs::create_directory(plugins_);
  kubelet_.Start();
  EXPECT_TRUE(kubelet_.WaitConnected("rdma/hca"));
}

TEST_F(KubeletLinkTest, AKubeletThatRestartsIsToldAgainOnNewPaths) {
  kubelet_.Start();
  const auto link = Start();
  for (std::size_t restart = 0; restart < 4; ++restart) {
    ASSERT_TRUE(kubelet_.WaitConnected("rdma/hca", restart * 2));
    ASSERT_TRUE(kubelet_.WaitConnected("fairlead.dev/probe", restart * 2));
    kubelet_.Stop();
    kubelet_.Start();
  }
  ASSERT_TRUE(kubelet_.WaitConnected("rdma/hca", 8));
  ASSERT_TRUE(kubelet_.WaitConnected("fairlead.dev/probe", 8));
  std::set<std::string> endpoints;
  for (const Registered& one : kubelet_.all()) endpoints.insert(one.endpoint);
  EXPECT_EQ(endpoints.size(), kubelet_.all().size()) << "a path was shown twice";
  EXPECT_THAT(SocketsIn(plugins_), SizeIs(2));
}

TEST_F(KubeletLinkTest, AStreamThatKubeletCancelsIsRegisteredAgain) {
  kubelet_.Start();
  const auto link = Start();
  const auto first = kubelet_.WaitConnected("rdma/hca");
  ASSERT_TRUE(first);
  ASSERT_TRUE(kubelet_.WaitConnected("fairlead.dev/probe"));
  first->CancelWatch();
  const auto second = kubelet_.WaitConnected("rdma/hca", 2);
  ASSERT_TRUE(second);
  EXPECT_NE(first, second);
  EXPECT_EQ(kubelet_.calls(), 3) << "the other resource has no part in it";
}

TEST_F(KubeletLinkTest, ALostSocketIsBoundAnewAndRegisteredAgain) {
  kubelet_.Start();
  const auto link = Start();
  ASSERT_TRUE(kubelet_.WaitConnected("rdma/hca"));
  ASSERT_TRUE(kubelet_.WaitConnected("fairlead.dev/probe"));
  for (const std::string& name : SocketsIn(plugins_)) fs::remove(plugins_ / name);
  EXPECT_TRUE(kubelet_.WaitConnected("rdma/hca", 3));
  EXPECT_TRUE(kubelet_.WaitConnected("fairlead.dev/probe", 3));
}

TEST_F(KubeletLinkTest, ARefusalIsSaidAndTriedAgain) {
  kubelet_.Start(Manners::kRefuse);
  const auto link = Start();
  ASSERT_TRUE(Says(*link, "rdma/hca", [](const ResourceStatus& status) {
    return status.registration_failures >= 2 && !status.registered;
  }));
  EXPECT_THAT(StatusOf(*link, "rdma/hca").last_error, HasSubstr("no such thing"));
  kubelet_.SetManners(Manners::kProper);
  ASSERT_TRUE(kubelet_.WaitConnected("rdma/hca"));
  EXPECT_TRUE(Says(*link, "rdma/hca", [](const ResourceStatus& status) {
    return status.registered && status.last_error.empty();
  }));
}

TEST_F(KubeletLinkTest, AKubeletThatHangsHoldsUpNeitherTheOthersNorTheEnd) {
  kubelet_.Start(Manners::kHang);
  KubeletLinkOptions options;
  options.register_deadline = Milliseconds(300);
  auto link = Start(options);
  // Each resource again and again, though no call is ever answered.
  ASSERT_TRUE(kubelet_.signal().WaitUntil([&] { return kubelet_.calls() >= 5; }));
  EXPECT_TRUE(Says(*link, "rdma/hca",
                   [](const ResourceStatus& status) { return status.registration_failures >= 1; }));
  link.reset();
  options.register_deadline = Seconds(3600);
  const int before = kubelet_.calls();
  link = Start(options);
  ASSERT_TRUE(kubelet_.signal().WaitUntil([&] { return kubelet_.calls() >= before + 2; }));
  link.reset();  // the calls under way are cancelled
  EXPECT_THAT(SocketsIn(plugins_), IsEmpty());
}

TEST_F(KubeletLinkTest, AKubeletThatVanishesMidCallIsFoundWhenItReturns) {
  kubelet_.Start(Manners::kHang);
  const auto link = Start();
  ASSERT_TRUE(kubelet_.signal().WaitUntil([&] { return kubelet_.calls() == 2; }));
  kubelet_.Stop();
  kubelet_.Start();
  EXPECT_TRUE(kubelet_.WaitConnected("rdma/hca"));
  EXPECT_TRUE(kubelet_.WaitConnected("fairlead.dev/probe"));
}

TEST_F(KubeletLinkTest, ADeadKubeletsSocketIsNoKubelet) {
  LeaveDeadSocket(plugins_ / "kubelet.sock");
  const auto link = Start();
  WaitForTurns(3);
  EXPECT_FALSE(link->Status().kubelet_present);
  EXPECT_THAT(SocketsIn(plugins_), IsEmpty()) << "nobody would find them";
  kubelet_.Start();
  EXPECT_TRUE(kubelet_.WaitConnected("rdma/hca"));
  EXPECT_EQ(StatusOf(*link, "rdma/hca").registration_failures, 0U);
}

TEST_F(KubeletLinkTest, AKubeletThatIsKilledIsAwayUntilThereIsAnother) {
  kubelet_.Start();
  const auto link = Start();
  ASSERT_TRUE(kubelet_.WaitConnected("rdma/hca"));
  ASSERT_TRUE(kubelet_.WaitConnected("fairlead.dev/probe"));
  kubelet_.Stop();
  LeaveDeadSocket(plugins_ / "kubelet.sock");
  ASSERT_TRUE(kubelet_.signal().WaitUntil([&] { return !link->Status().kubelet_present; }));
  WaitForTurns(10);  // a second and more than what a lost stream is given to settle
  kubelet_.Start();
  EXPECT_TRUE(kubelet_.WaitConnected("rdma/hca", 2));
  EXPECT_TRUE(kubelet_.WaitConnected("fairlead.dev/probe", 2));
  EXPECT_EQ(kubelet_.calls(), 4);
  for (const ResourceStatus& status : link->Status().resources) {
    EXPECT_EQ(status.registration_failures, 0U) << status.resource << ": " << status.last_error;
  }
}

TEST_F(KubeletLinkTest, AKubeletThatAcceptsButNeverWatchesIsToldAgain) {
  kubelet_.Start(Manners::kNoWatch);
  KubeletLinkOptions options;
  options.timing.stream_patience = Milliseconds(100);
  const auto link = Start(options);
  ASSERT_TRUE(kubelet_.signal().WaitUntil([&] { return kubelet_.calls() >= 4; }));
  kubelet_.SetManners(Manners::kProper);
  EXPECT_TRUE(kubelet_.WaitConnected("rdma/hca"));
}

TEST_F(KubeletLinkTest, ChangesOfTheOfferReachKubelet) {
  kubelet_.Start();
  const auto link = Start();
  const auto client = kubelet_.WaitConnected("rdma/hca");
  ASSERT_TRUE(client);
  offer_.Publish({MakeFake("rdma/hca", {Device("hca-0", false), Device("hca-1")})});
  link->OfferChanged();
  ASSERT_TRUE(kubelet_.signal().WaitUntil([&] { return client->lists().size() == 2; }));
  EXPECT_EQ(client->lists()[1].devices(0).health(), "Unhealthy");
  EXPECT_TRUE(client->watching());
}

TEST_F(KubeletLinkTest, ResourcesComeAndGoWithTheConfiguration) {
  kubelet_.Start();
  const auto link = Start();
  const auto hca = kubelet_.WaitConnected("rdma/hca");
  ASSERT_TRUE(hca && kubelet_.WaitConnected("fairlead.dev/probe"));
  offer_.Publish({MakeFake("fairlead.dev/probe", {Device("all")}),
                  MakeFake("rdma/hca-bulk", {Device("hca-0")})});
  EXPECT_TRUE(kubelet_.WaitConnected("rdma/hca-bulk"));
  ASSERT_TRUE(kubelet_.signal().WaitUntil([&] { return !hca->watching(); }));
  EXPECT_TRUE(hca->end().ok());
  EXPECT_EQ(hca->lists().back().devices_size(), 0) << "kubelet's capacity falls at once";
  EXPECT_TRUE(kubelet_.signal().WaitUntil([&] { return link->Status().resources.size() == 2; }));
  EXPECT_THAT(SocketsIn(plugins_), SizeIs(2));
}

TEST_F(KubeletLinkTest, TheEndLeavesNothingBehind) {
  kubelet_.Start();
  auto link = Start();
  const auto client = kubelet_.WaitConnected("rdma/hca");
  ASSERT_TRUE(client);
  link.reset();
  ASSERT_TRUE(kubelet_.signal().WaitUntil([&] { return !client->watching(); }));
  EXPECT_TRUE(client->end().ok());
  EXPECT_EQ(client->lists().size(), 1U);
  EXPECT_THAT(SocketsIn(plugins_), IsEmpty());
}

TEST_F(KubeletLinkTest, AnUpgradeTakesOverWithoutHarmToTheNewRun) {
  kubelet_.Start();
  auto before = Start();
  ASSERT_TRUE(kubelet_.WaitConnected("rdma/hca"));
  ASSERT_TRUE(kubelet_.WaitConnected("fairlead.dev/probe"));
  const auto after = Start();  // the living run's sockets are not taken for a dead one's
  ASSERT_TRUE(kubelet_.WaitConnected("rdma/hca", 3));
  const auto probe = kubelet_.WaitConnected("fairlead.dev/probe", 3);
  ASSERT_TRUE(probe);
  before.reset();
  EXPECT_THAT(SocketsIn(plugins_), SizeIs(2));
  ::v1beta1::AllocateResponse response;
  EXPECT_TRUE(probe->Allocate({"all"}, &response).ok());
  EXPECT_EQ(kubelet_.calls(), 4);
}

TEST_F(KubeletLinkTest, SocketsOfDeadRunsAreClearedAwayInBothDirectories) {
  const RunId dead{.process_id = 1, .start = WallTime(Seconds(1))};
  LeaveDeadSocket(plugins_ / SocketName("rdma/hca", dead, 1));
  LeaveDeadSocket(registry_ / SocketName("rdma/hca", dead, 2));
  LeaveDeadSocket(registry_ / "other.sock");
  const auto link = Start();
  EXPECT_THAT(SocketsIn(plugins_), IsEmpty());
  EXPECT_THAT(SocketsIn(registry_), testing::ElementsAre("other.sock"));
}

TEST_F(KubeletLinkTest, DirectoriesThatCannotWorkAreRefused) {
  KubeletLinkOptions options;
  options.kubelet_directory = "var/lib/kubelet";
  auto link = KubeletLink::Start(options, offer_, clock_);
  ASSERT_FALSE(link);
  EXPECT_THAT(link.error().message, AllOf(HasSubstr("var/lib/kubelet"), HasSubstr("absolute")));
  options.kubelet_directory = "/" + std::string(90, 'k');
  link = KubeletLink::Start(options, offer_, clock_);
  ASSERT_FALSE(link);
  EXPECT_EQ(link.error().code, ErrorCode::kInvalidArgument);
}

class PluginsRegistryTest : public KubeletLinkTest {
 protected:
  PluginsRegistryTest() {
    kubelet_.Start();
    offer_.Publish({MakeFake("rdma/hca", {Device("hca-0")})});
    options_.mode = RegistrationMode::kPluginsRegistry;
    options_.timing.registry_pause = Milliseconds(20);
  }

  // The plugin behind the only socket, once there is one other than `old`.
  std::unique_ptr<PluginClient> Find(const std::string& old = "") {
    std::vector<std::string> names;
    EXPECT_TRUE(kubelet_.signal().WaitUntil([&] {
      names = SocketsIn(registry_);
      return names.size() == 1 && names.front() != old;
    }));
    found_ = names.front();
    const std::string path = registry_ / found_;
    auto client =
        std::make_unique<PluginClient>(path, path, [this] { kubelet_.signal().Notify(); });
    EXPECT_TRUE(client->WaitUntilConnected());
    return client;
  }

  void Notify(PluginClient& client, bool registered) {
    ::pluginregistration::RegistrationStatus status;
    status.set_plugin_registered(registered);
    if (!registered) status.set_error("not today");
    grpc::ClientContext context;
    ::pluginregistration::RegistrationStatusResponse response;
    EXPECT_TRUE(client.registration().NotifyRegistrationStatus(&context, status, &response).ok());
  }

  KubeletLinkOptions options_;
  std::string found_;
};

TEST_F(PluginsRegistryTest, IsFoundAndNeverRegistersToo) {
  const auto link = Start(options_);
  const auto client = Find();
  Notify(*client, true);
  client->Watch();
  ASSERT_TRUE(Says(*link, "rdma/hca", [](const ResourceStatus& status) {
    return status.registered && status.connected && status.registrations == 1;
  }));
  EXPECT_EQ(kubelet_.calls(), 0);
  EXPECT_THAT(SocketsIn(plugins_), IsEmpty());
}

TEST_F(PluginsRegistryTest, ARefusalKillsNothing) {
  const auto link = Start(options_);
  const auto client = Find();
  Notify(*client, false);
  ASSERT_TRUE(Says(*link, "rdma/hca", [](const ResourceStatus& status) {
    return status.serving && !status.registered && status.registration_failures == 1;
  }));
  EXPECT_THAT(StatusOf(*link, "rdma/hca").last_error, HasSubstr("not today"));
  Notify(*client, true);
  EXPECT_TRUE(Says(*link, "rdma/hca", [](const ResourceStatus& status) {
    return status.registered && status.last_error.empty();
  }));
}

TEST_F(PluginsRegistryTest, AMissedSocketAndABrokenStreamBringAnotherSocket) {
  options_.timing.notify_patience = Milliseconds(100);
  const auto link = Start(options_);
  const std::string missed = (Find(), found_);
  auto client = Find(missed);
  client->Watch();
  ASSERT_TRUE(
      Says(*link, "rdma/hca", [](const ResourceStatus& status) { return status.connected; }));
  const std::string broken = StatusOf(*link, "rdma/hca").socket;
  client->CancelWatch();
  Find(fs::path(broken).filename());
  EXPECT_FALSE(fs::exists(broken));
}

}  // namespace
}  // namespace fairlead::deviceplugin
