#include <grpcpp/create_channel.h>
#include <grpcpp/support/channel_arguments.h>

#include "linkprobe/session/session_dialer.h"

namespace fairlead::linkprobe {

std::shared_ptr<grpc::Channel> MakeChannel(const std::string& address,
                                           std::shared_ptr<grpc::ChannelCredentials> credentials,
                                           const std::string& server_name) {
  grpc::ChannelArguments arguments;
  if (!server_name.empty()) arguments.SetString(GRPC_SSL_TARGET_NAME_OVERRIDE_ARG, server_name);
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 500);
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, 2'000);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 5'000);
  // Pings are rare enough that no server takes offence. Asking for them also sets TCP_USER_TIMEOUT
  // to the second value, which is what finds a dead host.
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 600'000);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 20'000);
  // A proxy named in the environment would stand for the peer: trains go to the address at which it
  // answers, and a report stream would live only as long as the proxy lets it.
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  return grpc::CreateCustomChannel(address, credentials, arguments);
}

}  // namespace fairlead::linkprobe
