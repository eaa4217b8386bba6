#include <openssl/err.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <string>

#include "extender/http/byte_channel.h"
#include "extender/http/socket_wait.h"

namespace fairlead::extender {
namespace {

using SslPtr = std::unique_ptr<SSL, decltype(&SSL_free)>;
using ContextPtr = std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)>;

constexpr std::size_t kMaxRecord = 1U << 20;

// Runs one OpenSSL call until it is done; OpenSSL says which event it waits for meanwhile.
template <class Call>
int RunUntil(SSL* ssl, int socket, MonotonicTime deadline, Call call) {
  while (true) {
    ERR_clear_error();
    const int result = call();
    if (result > 0) return result;
    switch (SSL_get_error(ssl, result)) {
      case SSL_ERROR_WANT_READ:
        if (!WaitForSocket(socket, POLLIN, deadline)) return -1;
        break;
      case SSL_ERROR_WANT_WRITE:
        if (!WaitForSocket(socket, POLLOUT, deadline)) return -1;
        break;
      case SSL_ERROR_ZERO_RETURN:
        return 0;
      default:
        return -1;
    }
  }
}

class TlsChannel final : public ByteChannel {
 public:
  TlsChannel(SslPtr ssl, int socket) : ssl_(std::move(ssl)), socket_(socket) {}

  ssize_t Read(char* to, std::size_t size, MonotonicTime deadline) override {
    const int wanted = static_cast<int>(std::min(size, kMaxRecord));
    return RunUntil(ssl_.get(), socket_, deadline,
                    [&] { return SSL_read(ssl_.get(), to, wanted); });
  }

  ssize_t Write(const char* from, std::size_t size, MonotonicTime deadline) override {
    const int wanted = static_cast<int>(std::min(size, kMaxRecord));
    return RunUntil(ssl_.get(), socket_, deadline,
                    [&] { return SSL_write(ssl_.get(), from, wanted); });
  }

  bool WaitReadable(MonotonicTime deadline) override {
    return SSL_pending(ssl_.get()) > 0 || WaitForSocket(socket_, POLLIN, deadline);
  }

  void CloseSending() override {
    SSL_shutdown(ssl_.get());
    ::shutdown(socket_, SHUT_WR);
  }

 private:
  SslPtr ssl_;
  int socket_;
};

class TlsChannelMaker final : public ChannelMaker {
 public:
  explicit TlsChannelMaker(ContextPtr context) : context_(std::move(context)) {}

  std::unique_ptr<ByteChannel> Make(int socket, MonotonicTime deadline) const override {
    SetNonBlocking(socket);
    SslPtr ssl(SSL_new(context_.get()), &SSL_free);
    if (!ssl || SSL_set_fd(ssl.get(), socket) != 1) return nullptr;
    const auto accept = [&] { return SSL_accept(ssl.get()); };
    if (RunUntil(ssl.get(), socket, deadline, accept) <= 0) return nullptr;
    return std::make_unique<TlsChannel>(std::move(ssl), socket);
  }

 private:
  ContextPtr context_;
};

tl::unexpected<Error> TlsFault(const std::string& what, const std::string& file) {
  const unsigned long code = ERR_get_error();
  const char* text = code == 0 ? nullptr : ERR_reason_error_string(code);
  ERR_clear_error();
  return Fail(ErrorCode::kInvalidArgument,
              what + " " + file + " cannot be used: " + (text ? text : "unknown reason"));
}

}  // namespace

Result<std::unique_ptr<ChannelMaker>> MakeTlsChannels(const TlsConfig& tls) {
  ERR_clear_error();
  ContextPtr context(SSL_CTX_new(TLS_server_method()), &SSL_CTX_free);
  if (!context) return Fail(ErrorCode::kInternal, "OpenSSL made no TLS context");
  SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  // A write that has to be tried again may come from a buffer that has moved.
  SSL_CTX_set_mode(context.get(),
                   SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  if (SSL_CTX_use_certificate_chain_file(context.get(), tls.certificate_file.c_str()) != 1) {
    return TlsFault("tls.certificateFile", tls.certificate_file);
  }
  if (SSL_CTX_use_PrivateKey_file(context.get(), tls.key_file.c_str(), SSL_FILETYPE_PEM) != 1 ||
      SSL_CTX_check_private_key(context.get()) != 1) {
    return TlsFault("tls.keyFile", tls.key_file);
  }
  return std::make_unique<TlsChannelMaker>(std::move(context));
}

}  // namespace fairlead::extender
