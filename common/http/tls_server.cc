#include "common/http/tls_server.h"

#include <openssl/err.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <string>
#include <utility>

#include "common/base/clock.h"
#include "common/net/tls_files.h"
#include "common/net/tls_renewal.h"

namespace fairlead {
namespace {

constexpr std::size_t kMostBytes = 1U << 20;  // OpenSSL counts in int

using Context = std::shared_ptr<SSL_CTX>;
using Connection = std::unique_ptr<SSL, decltype(&SSL_free)>;

class Session final : public TlsSession {
 public:
  explicit Session(Connection ssl) : ssl_(std::move(ssl)) {}

  ssize_t Read(char* out, std::size_t size) override {
    ERR_clear_error();
    return Result(SSL_read(ssl_.get(), out, static_cast<int>(std::min(size, kMostBytes))));
  }

  ssize_t Write(const char* data, std::size_t size) override {
    ERR_clear_error();
    return Result(SSL_write(ssl_.get(), data, static_cast<int>(std::min(size, kMostBytes))));
  }

  bool pending() const override { return SSL_pending(ssl_.get()) > 0; }

  void FinishSending() override {
    ERR_clear_error();
    if (SSL_is_init_finished(ssl_.get())) SSL_shutdown(ssl_.get());
  }

 private:
  ssize_t Result(int result) {
    if (result > 0) return result;
    switch (SSL_get_error(ssl_.get(), result)) {
      case SSL_ERROR_ZERO_RETURN:
        return 0;
      case SSL_ERROR_WANT_READ:
      case SSL_ERROR_WANT_WRITE:
        errno = EAGAIN;
        return -1;
      default:  // OpenSSL's codes are numbers, and all others end the connection
        errno = EPROTO;
        return -1;
    }
  }

  Connection ssl_;
};

// Clients are named the CA's subject, so that they choose a certificate of it.
Status RequireClientCertificate(SSL_CTX* context, const TlsConfig& tls) {
  STACK_OF(X509_NAME)* const names = SSL_load_client_CA_file(tls.ca_file.c_str());
  if (names == nullptr || SSL_CTX_load_verify_file(context, tls.ca_file.c_str()) != 1) {
    sk_X509_NAME_pop_free(names, X509_NAME_free);
    return Fail(ErrorCode::kInvalidArgument, "tls: OpenSSL refuses the CA " + tls.ca_file);
  }
  SSL_CTX_set_client_CA_list(context, names);  // takes them over
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  // Without a name OpenSSL refuses to resume the session of a client that showed a certificate.
  constexpr unsigned char kName[] = "fairlead";
  SSL_CTX_set_session_id_context(context, kName, sizeof kName - 1);
  return {};
}

Result<Context> MakeContext(const TlsConfig& tls, ClientCertificate clients) {
  ERR_clear_error();
  Context context(SSL_CTX_new(TLS_server_method()), SSL_CTX_free);
  if (!context) return Fail(ErrorCode::kInternal, "OpenSSL made no TLS context");
  SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  // A write that is tried again may come from a buffer that has moved.
  SSL_CTX_set_mode(context.get(),
                   SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  if (SSL_CTX_use_certificate_chain_file(context.get(), tls.certificate_file.c_str()) != 1 ||
      SSL_CTX_use_PrivateKey_file(context.get(), tls.key_file.c_str(), SSL_FILETYPE_PEM) != 1) {
    return Fail(ErrorCode::kInvalidArgument, "tls: OpenSSL refuses the certificate " +
                                                 tls.certificate_file + " or its key " +
                                                 tls.key_file);
  }
  if (clients == ClientCertificate::kRequired) {
    if (const Status required = RequireClientCertificate(context.get(), tls); !required) {
      return Fail(required.error());
    }
  }
  return context;
}

class Server final : public TlsServer {
 public:
  Server(TlsConfig tls, ClientCertificate clients, Nanoseconds files_age, TlsFiles files,
         Context context)
      : tls_(std::move(tls)),
        clients_(clients),
        files_age_(files_age),
        renewal_(tls_, std::move(files)),
        context_(std::move(context)) {}

  std::unique_ptr<TlsSession> Accept(int fd) override {
    const Context context = Current();
    Connection ssl(SSL_new(context.get()), &SSL_free);
    if (!ssl || SSL_set_fd(ssl.get(), fd) != 1) return nullptr;
    SSL_set_accept_state(ssl.get());
    return std::make_unique<Session>(std::move(ssl));
  }

 private:
  Context Current() {
    std::lock_guard lock(mutex_);
    const MonotonicTime now = SystemClock().Now();
    if (now - read_at_ < files_age_) return context_;
    read_at_ = now;
    renewal_.Look([this](const TlsFiles&) -> Status {
      auto context = MakeContext(tls_, clients_);
      if (!context) return Fail(context.error());
      context_ = *std::move(context);
      return {};
    });
    return context_;
  }

  const TlsConfig tls_;
  const ClientCertificate clients_;
  const Nanoseconds files_age_;
  std::mutex mutex_;
  TlsRenewal renewal_;
  Context context_;
  MonotonicTime read_at_ = SystemClock().Now();
};

}  // namespace

Result<std::unique_ptr<TlsServer>> TlsServer::Create(const TlsConfig& tls,
                                                     ClientCertificate clients,
                                                     Nanoseconds files_age) {
  auto files = ReadTlsFiles(tls);
  if (!files) return Fail(files.error());
  auto context = MakeContext(tls, clients);
  if (!context) return Fail(context.error());
  return std::make_unique<Server>(tls, clients, files_age, *std::move(files), *std::move(context));
}

}  // namespace fairlead
