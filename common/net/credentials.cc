#include "common/net/credentials.h"

#include <grpcpp/security/credentials.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/security/tls_credentials_options.h>

#include <memory>

#include "common/net/channel_security.h"
#include "common/net/tls_watch.h"

namespace fairlead {
namespace {

namespace tls_api = grpc::experimental;

}  // namespace

Result<std::shared_ptr<grpc::ChannelCredentials>> MakeChannelCredentials(const TlsConfig& tls,
                                                                         std::string_view address,
                                                                         Seconds refresh) {
  const Result<ChannelSecurity> security = ChooseSecurity(tls, address);
  if (!security) return Fail(security.error());
  if (*security == ChannelSecurity::kPlaintext) return grpc::InsecureChannelCredentials();
  const auto provider = WatchTlsFiles(tls, refresh);
  if (!provider) return Fail(provider.error());
  tls_api::TlsChannelCredentialsOptions options;
  options.set_certificate_provider(*provider);
  options.watch_root_certs();
  options.watch_identity_key_cert_pairs();
  return tls_api::TlsCredentials(options);
}

Result<std::shared_ptr<grpc::ServerCredentials>> MakeServerCredentials(const TlsConfig& tls,
                                                                       std::string_view address,
                                                                       Seconds refresh) {
  const Result<ChannelSecurity> security = ChooseSecurity(tls, address);
  if (!security) return Fail(security.error());
  if (*security == ChannelSecurity::kPlaintext) return grpc::InsecureServerCredentials();
  const auto provider = WatchTlsFiles(tls, refresh);
  if (!provider) return Fail(provider.error());
  tls_api::TlsServerCredentialsOptions options(*provider);
  options.watch_root_certs();
  options.watch_identity_key_cert_pairs();
  options.set_cert_request_type(GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  return tls_api::TlsServerCredentials(options);
}

}  // namespace fairlead
