#include "deviceplugin/kubelet/local_channel.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/channel_arguments.h>

#include "deviceplugin/kubelet/socket_name.h"

namespace fairlead::deviceplugin {

std::shared_ptr<grpc::Channel> LocalChannel(const std::string& socket_path) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  // kubelet's pod resources of a node full of pods can pass gRPC's usual 4 MiB.
  arguments.SetMaxReceiveMessageSize(16 << 20);
  return grpc::CreateCustomChannel(UnixAddress(socket_path), grpc::InsecureChannelCredentials(),
                                   arguments);
}

}  // namespace fairlead::deviceplugin
