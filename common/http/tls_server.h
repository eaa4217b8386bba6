// TLS for the HTTP listener.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <memory>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "common/config/config.h"

namespace fairlead {

// One client's side of TLS over a non-blocking socket. Used by one thread.
class TlsSession {
 public:
  virtual ~TlsSession() = default;
  // Like recv and send: -1 with errno EAGAIN where the socket must be waited for. The handshake
  // happens within the first calls.
  virtual ssize_t Read(char* out, std::size_t size) = 0;
  virtual ssize_t Write(const char* data, std::size_t size) = 0;
  // True where bytes are here already that no poll of the socket would announce.
  virtual bool pending() const = 0;
  // Tells the client that no more comes.
  virtual void FinishSending() = 0;
};

// Whether a client must show a certificate. A browser that looks at a page has none.
enum class ClientCertificate {
  kNotAsked,
  kRequired,  // one that the CA of the configuration has signed, or no byte is exchanged
};

// TLS 1.2 or newer with the certificate of the configuration. Thread-safe.
class TlsServer {
 public:
  // Fails where ReadTlsFiles does. `files_age` is how old the files' contents may be.
  static Result<std::unique_ptr<TlsServer>> Create(
      const TlsConfig& tls, ClientCertificate clients = ClientCertificate::kNotAsked,
      Nanoseconds files_age = Seconds(10));
  virtual ~TlsServer() = default;

  // `fd` must stay open as long as the session. Reads the files anew when they were last read
  // longer ago than their age, so that a renewed certificate comes into force; a wrong one does
  // not. Null where OpenSSL has no memory for it. OpenSSL writes without MSG_NOSIGNAL: the program
  // must ignore SIGPIPE.
  virtual std::unique_ptr<TlsSession> Accept(int fd) = 0;
};

}  // namespace fairlead
