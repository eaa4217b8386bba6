// Who holds what, from a kubelet that answers, fails, hangs or is not there.
#include "deviceplugin/kubelet/pod_resources.h"

#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>

#include <condition_variable>
#include <filesystem>

#include "deviceplugin/kubelet/socket_name.h"
#include "kubelet/podresources_v1.grpc.pb.h"
#include "tests/common/support/eventually.h"
#include "tests/common/support/temp_directory.h"
#include "tests/deviceplugin/kubelet/fake_resource.h"

namespace fairlead::deviceplugin {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

enum class Mood { kAnswers, kFails, kHangs };

class FakeLister final : public ::v1::PodResourcesLister::Service {
 public:
  explicit FakeLister(Signal& signal) : signal_(signal) {}
  ~FakeLister() override { Stop(); }

  void Start(const std::string& path) {
    grpc::ServerBuilder builder;
    builder.AddListeningPort(UnixAddress(path), grpc::InsecureServerCredentials());
    builder.RegisterService(this);
    server_ = builder.BuildAndStart();
  }
  void Stop() {
    if (!server_) return;
    Set(Mood::kFails);
    server_->Shutdown(std::chrono::system_clock::now());
    server_->Wait();
    server_.reset();
  }
  void Set(Mood mood) {
    {
      std::lock_guard lock(mutex_);
      mood_ = mood;
    }
    changed_.notify_all();
  }
  int calls() const {
    std::lock_guard lock(mutex_);
    return calls_;
  }

  grpc::Status List(grpc::ServerContext* /*context*/, const ::v1::ListPodResourcesRequest*,
                    ::v1::ListPodResourcesResponse* response) override {
    {
      std::unique_lock lock(mutex_);
      ++calls_;
      signal_.Notify();
      changed_.wait(lock, [this] { return mood_ != Mood::kHangs; });
      if (mood_ == Mood::kFails) return {grpc::StatusCode::INTERNAL, "out of order"};
    }
    AddPod(*response, "b", "train-1", {{"rdma/hca", {"hca-1"}}, {"nvidia.com/gpu", {"GPU-1"}}});
    AddPod(*response, "a", "train-0", {{"rdma/hca", {"hca-2"}}, {"rdma/hca", {"hca-0"}}});
    AddPod(*response, "a", "web", {});
    return grpc::Status::OK;
  }

 private:
  using Devices = std::vector<std::pair<std::string, std::vector<std::string>>>;
  static void AddPod(::v1::ListPodResourcesResponse& response, const std::string& pod_namespace,
                     const std::string& name, const Devices& devices) {
    ::v1::PodResources& pod = *response.add_pod_resources();
    pod.set_namespace_(pod_namespace);
    pod.set_name(name);
    ::v1::ContainerResources& container = *pod.add_containers();
    container.set_name("main");
    for (const auto& [resource, ids] : devices) {
      ::v1::ContainerDevices& held = *container.add_devices();
      held.set_resource_name(resource);
      for (const std::string& id : ids) held.add_device_ids(id);
    }
  }

  Signal& signal_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  Mood mood_ = Mood::kAnswers;
  int calls_ = 0;
  std::unique_ptr<grpc::Server> server_;
};

class PodResourcesTest : public testing::Test {
 protected:
  PodResourcesTest() {
    std::filesystem::create_directory(directory_.path() / "pod-resources");
    offer_.Publish({MakeFake("rdma/hca", {Device("hca-0")})});
  }
  std::string socket() const { return directory_.path() / "pod-resources" / "kubelet.sock"; }
  std::unique_ptr<PodResourcesLister> Poll(Nanoseconds deadline = Seconds(30)) {
    return std::make_unique<PodResourcesLister>(
        PodResourcesOptions{.kubelet_directory = directory_.path(),
                            .interval = Milliseconds(5),
                            .deadline = deadline},
        offer_, clock_);
  }
  // Looks again whenever the loop has read its clock, which it does at every poll.
  class NotifyingClock final : public Clock {
   public:
    explicit NotifyingClock(Signal& signal) : signal_(signal) {}
    MonotonicTime Now() const override {
      signal_.Notify();
      return real_.Now();
    }
    WallTime WallNow() const override { return real_.WallNow(); }

   private:
    Signal& signal_;
    SystemClock real_;
  };

  TempDirectory directory_;
  Signal signal_;
  NotifyingClock clock_{signal_};
  Snapshot<Offer> offer_;
  FakeLister kubelet_{signal_};
};

TEST_F(PodResourcesTest, TellsWhoHoldsOurDevices) {
  kubelet_.Start(socket());
  const auto lister = Poll();
  ASSERT_TRUE(signal_.WaitUntil([&] { return lister->holdings().Get()->known(); }));
  EXPECT_THAT(lister->holdings().Get()->holdings,
              ElementsAre(Holding{"a", "train-0", "main", "rdma/hca", {"hca-0", "hca-2"}},
                          Holding{"b", "train-1", "main", "rdma/hca", {"hca-1"}}));
}

TEST_F(PodResourcesTest, AnAbsentKubeletIsCountedAndWaitedFor) {
  const auto lister = Poll();
  ASSERT_TRUE(signal_.WaitUntil([&] { return lister->Status().absent >= 3; }));
  EXPECT_FALSE(lister->holdings().Get()->known());
  EXPECT_EQ(lister->Status().failures, 0U);
  kubelet_.Start(socket());
  EXPECT_TRUE(signal_.WaitUntil([&] { return lister->holdings().Get()->known(); }));
}

TEST_F(PodResourcesTest, WhatWasSaidLastStaysWhenKubeletFails) {
  kubelet_.Start(socket());
  const auto lister = Poll();
  ASSERT_TRUE(signal_.WaitUntil([&] { return lister->holdings().Get()->known(); }));
  kubelet_.Set(Mood::kFails);
  ASSERT_TRUE(signal_.WaitUntil([&] { return lister->Status().failures >= 2; }));
  EXPECT_THAT(lister->Status().last_error, HasSubstr("out of order"));
  EXPECT_EQ(lister->holdings().Get()->holdings.size(), 2U);
  kubelet_.Set(Mood::kAnswers);
  EXPECT_TRUE(signal_.WaitUntil([&] { return lister->Status().last_error.empty(); }));
}

TEST_F(PodResourcesTest, AKubeletThatHangsIsLeftAtTheDeadlineAndAtTheEnd) {
  kubelet_.Set(Mood::kHangs);
  kubelet_.Start(socket());
  auto lister = Poll(Milliseconds(20));
  ASSERT_TRUE(signal_.WaitUntil([&] { return lister->Status().failures >= 2; }));
  lister.reset();
  const int before = kubelet_.calls();
  lister = Poll(Seconds(3600));
  ASSERT_TRUE(signal_.WaitUntil([&] { return kubelet_.calls() > before; }));
  lister.reset();
  EXPECT_GT(kubelet_.calls(), before);
}

}  // namespace
}  // namespace fairlead::deviceplugin
