#include "tests/deviceplugin/kubelet/fake_kubelet.h"

#include <chrono>
#include <filesystem>
#include <utility>

#include "deviceplugin/kubelet/socket_name.h"

namespace fairlead::deviceplugin {

class FakeKubelet::Service final : public ::v1beta1::Registration::Service {
 public:
  explicit Service(FakeKubelet& owner) : owner_(owner) {}
  grpc::Status Register(grpc::ServerContext* /*context*/, const ::v1beta1::RegisterRequest* request,
                        ::v1beta1::Empty* /*response*/) override {
    return owner_.Register(*request);
  }

 private:
  FakeKubelet& owner_;
};

FakeKubelet::FakeKubelet(std::string directory) : directory_(std::move(directory)) {}
FakeKubelet::~FakeKubelet() { Stop(); }

void FakeKubelet::Start(Manners manners) {
  SetManners(manners);
  stopping_ = false;
  for (const auto& entry : std::filesystem::directory_iterator(directory_)) {
    if (entry.is_socket()) std::filesystem::remove(entry.path());
  }
  service_ = std::make_unique<Service>(*this);
  grpc::ServerBuilder builder;
  builder.AddListeningPort(UnixAddress(directory_ + "/kubelet.sock"),
                           grpc::InsecureServerCredentials());
  builder.RegisterService(service_.get());
  server_ = builder.BuildAndStart();
}

void FakeKubelet::Stop() {
  if (!server_) return;
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  stopped_.notify_all();
  server_->Shutdown(std::chrono::system_clock::now());
  for (const Registered& registered : all()) registered.client->CancelWatch();
  server_->Wait();
  server_.reset();
  service_.reset();
}

void FakeKubelet::SetManners(Manners manners) {
  std::lock_guard lock(mutex_);
  manners_ = manners;
}

void FakeKubelet::Hang() {
  std::unique_lock lock(mutex_);
  stopped_.wait(lock, [this] { return stopping_; });
}

grpc::Status FakeKubelet::Register(const ::v1beta1::RegisterRequest& request) {
  Manners manners;
  {
    std::lock_guard lock(mutex_);
    ++calls_;
    manners = manners_;
  }
  signal_.Notify();
  if (manners == Manners::kRefuse) return {grpc::StatusCode::UNKNOWN, "no such thing"};
  if (manners == Manners::kHang) {
    Hang();
    return grpc::Status::CANCELLED;
  }
  if (request.version() != "v1beta1") return {grpc::StatusCode::UNKNOWN, "unknown version"};
  for (const Registered& earlier : all()) {
    if (earlier.endpoint == request.endpoint()) {
      return {grpc::StatusCode::UNKNOWN, "device plugin already connected"};
    }
  }
  auto client = std::make_shared<PluginClient>(directory_ + '/' + request.endpoint(), "localhost",
                                               [this] { signal_.Notify(); });
  ::v1beta1::DevicePluginOptions options;
  if (grpc::Status asked = client->Options(&options); !asked.ok()) return asked;
  if (manners == Manners::kProper) client->Watch();
  {
    std::lock_guard lock(mutex_);
    all_.push_back({request.resource_name(), request.endpoint(), std::move(client)});
  }
  signal_.Notify();
  return grpc::Status::OK;
}

int FakeKubelet::calls() const {
  std::lock_guard lock(mutex_);
  return calls_;
}

std::vector<Registered> FakeKubelet::all() const {
  std::lock_guard lock(mutex_);
  return all_;
}

std::shared_ptr<PluginClient> FakeKubelet::Connected(const std::string& resource) const {
  std::shared_ptr<PluginClient> newest;
  for (const Registered& one : all()) {
    if (one.resource == resource) newest = one.client;
  }
  return newest && newest->watching() && !newest->lists().empty() ? newest : nullptr;
}

std::shared_ptr<PluginClient> FakeKubelet::WaitConnected(const std::string& resource,
                                                         std::size_t after) {
  const bool came =
      signal_.WaitUntil([&] { return all().size() > after && Connected(resource) != nullptr; });
  return came ? Connected(resource) : nullptr;
}

}  // namespace fairlead::deviceplugin
