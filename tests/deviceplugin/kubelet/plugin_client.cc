#include "tests/deviceplugin/kubelet/plugin_client.h"

#include <chrono>
#include <utility>

#include "deviceplugin/kubelet/socket_name.h"

namespace fairlead::deviceplugin {
namespace {

// Only a fault reaches it.
std::chrono::system_clock::time_point Deadline() {
  return std::chrono::system_clock::now() + std::chrono::seconds(30);
}

}  // namespace

PluginClient::PluginClient(const std::string& path, const std::string& authority,
                           std::function<void()> changed)
    : changed_(std::move(changed)) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  if (!authority.empty()) arguments.SetString(GRPC_ARG_DEFAULT_AUTHORITY, authority);
  channel_ =
      grpc::CreateCustomChannel(UnixAddress(path), grpc::InsecureChannelCredentials(), arguments);
  plugin_ = ::v1beta1::DevicePlugin::NewStub(channel_);
  registration_ = ::pluginregistration::Registration::NewStub(channel_);
}

PluginClient::~PluginClient() { CancelWatch(); }

bool PluginClient::WaitUntilConnected() { return channel_->WaitForConnected(Deadline()); }

grpc::Status PluginClient::Options(::v1beta1::DevicePluginOptions* options) {
  grpc::ClientContext context;
  context.set_deadline(Deadline());
  return plugin_->GetDevicePluginOptions(&context, {}, options);
}

grpc::Status PluginClient::Allocate(const std::vector<std::string>& ids,
                                    ::v1beta1::AllocateResponse* response) {
  ::v1beta1::AllocateRequest request;
  auto& container = *request.add_container_requests();
  for (const std::string& id : ids) container.add_devices_ids(id);
  grpc::ClientContext context;
  context.set_deadline(Deadline());
  return plugin_->Allocate(&context, request, response);
}

void PluginClient::Watch() {
  {
    std::lock_guard lock(mutex_);
    watching_ = true;
  }
  reader_ = std::jthread([this] { Read(); });
}

void PluginClient::Read() {
  const auto stream = plugin_->ListAndWatch(&watch_, {});
  List list;
  while (stream->Read(&list)) {
    {
      std::lock_guard lock(mutex_);
      lists_.push_back(list);
    }
    changed_();
  }
  const grpc::Status end = stream->Finish();
  {
    std::lock_guard lock(mutex_);
    watching_ = false;
    end_ = end;
  }
  changed_();
}

void PluginClient::CancelWatch() { watch_.TryCancel(); }

std::vector<PluginClient::List> PluginClient::lists() const {
  std::lock_guard lock(mutex_);
  return lists_;
}

bool PluginClient::watching() const {
  std::lock_guard lock(mutex_);
  return watching_;
}

grpc::Status PluginClient::end() const {
  std::lock_guard lock(mutex_);
  return end_;
}

}  // namespace fairlead::deviceplugin
