#include "common/net/credentials.h"

#include <grpcpp/security/credentials.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/security/tls_certificate_provider.h>
#include <grpcpp/security/tls_credentials_options.h>

#include "common/net/channel_security.h"
#include "common/net/tls_files.h"

namespace fairlead {
namespace {

namespace tls_api = grpc::experimental;

constexpr unsigned kRefreshSeconds = 10;

std::shared_ptr<tls_api::CertificateProviderInterface> WatchFiles(const TlsConfig& tls) {
  return std::make_shared<tls_api::FileWatcherCertificateProvider>(
      tls.key_file, tls.certificate_file, tls.ca_file, kRefreshSeconds);
}

}  // namespace

Result<std::shared_ptr<grpc::ChannelCredentials>> MakeChannelCredentials(const TlsConfig& tls,
                                                                         std::string_view address) {
  const Result<ChannelSecurity> security = ChooseSecurity(tls, address);
  if (!security) return Fail(security.error());
  if (*security == ChannelSecurity::kPlaintext) return grpc::InsecureChannelCredentials();
  // gRPC says nothing useful about a missing or mismatched file, and retries for ever.
  if (const Result<TlsFiles> files = ReadTlsFiles(tls); !files) return Fail(files.error());
  tls_api::TlsChannelCredentialsOptions options;
  options.set_certificate_provider(WatchFiles(tls));
  options.watch_root_certs();
  options.watch_identity_key_cert_pairs();
  return tls_api::TlsCredentials(options);
}

Result<std::shared_ptr<grpc::ServerCredentials>> MakeServerCredentials(const TlsConfig& tls,
                                                                       std::string_view address) {
  const Result<ChannelSecurity> security = ChooseSecurity(tls, address);
  if (!security) return Fail(security.error());
  if (*security == ChannelSecurity::kPlaintext) return grpc::InsecureServerCredentials();
  if (const Result<TlsFiles> files = ReadTlsFiles(tls); !files) return Fail(files.error());
  tls_api::TlsServerCredentialsOptions options(WatchFiles(tls));
  options.watch_root_certs();
  options.watch_identity_key_cert_pairs();
  options.set_cert_request_type(GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  return tls_api::TlsServerCredentials(options);
}

}  // namespace fairlead
