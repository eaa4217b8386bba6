#include "common/net/credentials.h"

#include <grpcpp/security/credentials.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/security/tls_certificate_provider.h>
#include <grpcpp/security/tls_credentials_options.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>

#include "common/net/channel_security.h"
#include "common/net/tls_files.h"

namespace fairlead {
namespace {

namespace tls_api = grpc::experimental;

using Provider = tls_api::FileWatcherCertificateProvider;

// One provider for each set of files, because each has a thread of its own and a probe has a
// channel to every peer.
std::shared_ptr<Provider> WatchFiles(const TlsConfig& tls, Seconds refresh) {
  static std::mutex mutex;
  static std::map<std::tuple<std::string, std::string, std::string, Seconds>,
                  std::weak_ptr<Provider>>
      known;
  std::lock_guard lock(mutex);
  std::erase_if(known, [](const auto& entry) { return entry.second.expired(); });
  std::weak_ptr<Provider>& weak = known[{tls.key_file, tls.certificate_file, tls.ca_file, refresh}];
  std::shared_ptr<Provider> provider = weak.lock();
  if (!provider) {
    provider = std::make_shared<Provider>(tls.key_file, tls.certificate_file, tls.ca_file,
                                          static_cast<unsigned>(refresh.count()));
    weak = provider;
  }
  return provider;
}

}  // namespace

Result<std::shared_ptr<grpc::ChannelCredentials>> MakeChannelCredentials(const TlsConfig& tls,
                                                                         std::string_view address,
                                                                         Seconds refresh) {
  const Result<ChannelSecurity> security = ChooseSecurity(tls, address);
  if (!security) return Fail(security.error());
  if (*security == ChannelSecurity::kPlaintext) return grpc::InsecureChannelCredentials();
  // gRPC says nothing useful about a missing or mismatched file, and retries for ever.
  if (const Result<TlsFiles> files = ReadTlsFiles(tls); !files) return Fail(files.error());
  tls_api::TlsChannelCredentialsOptions options;
  options.set_certificate_provider(WatchFiles(tls, refresh));
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
  if (const Result<TlsFiles> files = ReadTlsFiles(tls); !files) return Fail(files.error());
  tls_api::TlsServerCredentialsOptions options(WatchFiles(tls, refresh));
  options.watch_root_certs();
  options.watch_identity_key_cert_pairs();
  options.set_cert_request_type(GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  return tls_api::TlsServerCredentials(options);
}

}  // namespace fairlead
