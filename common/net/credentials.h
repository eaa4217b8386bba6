// gRPC credentials made from the configuration.
#pragma once

#include <memory>
#include <string_view>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "common/config/config.h"

namespace grpc {
class ChannelCredentials;
class ServerCredentials;
}  // namespace grpc

namespace fairlead {

// Both follow ChooseSecurity. With TLS, each side must show a certificate that `ca_file` signed,
// and a client checks that the server's names `address`. The files are checked by the first call
// for them and looked at again as WatchTlsFiles does, so that renewed certificates come into force
// within `refresh` without a restart, and wrong ones never.
Result<std::shared_ptr<grpc::ChannelCredentials>> MakeChannelCredentials(
    const TlsConfig& tls, std::string_view address, Seconds refresh = Seconds(10));
Result<std::shared_ptr<grpc::ServerCredentials>> MakeServerCredentials(
    const TlsConfig& tls, std::string_view address, Seconds refresh = Seconds(10));

}  // namespace fairlead
