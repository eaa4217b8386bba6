// Bytes to and from one connected client, plain or inside TLS.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <memory>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "common/config/config.h"

namespace fairlead::extender {

// Used by one thread. Each call returns the bytes moved, 0 when the client has closed, -1 on an
// error or once `deadline` has passed.
class ByteChannel {
 public:
  virtual ~ByteChannel() = default;
  virtual ssize_t Read(char* to, std::size_t size, MonotonicTime deadline) = 0;
  virtual ssize_t Write(const char* from, std::size_t size, MonotonicTime deadline) = 0;
  // True once bytes (or the end of the stream) can be read.
  virtual bool WaitReadable(MonotonicTime deadline) = 0;
  // Tells the client that no more comes, and keeps reading what it still sends.
  virtual void CloseSending() = 0;
};

// Makes channels over accepted sockets. Thread-safe.
class ChannelMaker {
 public:
  virtual ~ChannelMaker() = default;
  // Takes no ownership of `socket`, which must stay open as long as the channel. Null when the
  // client did not complete a TLS handshake in time.
  virtual std::unique_ptr<ByteChannel> Make(int socket, MonotonicTime deadline) const = 0;
};

std::unique_ptr<ChannelMaker> MakePlainChannels();

// TLS 1.2 or newer with the certificate of `tls`. Clients need no certificate: a browser that looks
// at the link page has none.
Result<std::unique_ptr<ChannelMaker>> MakeTlsChannels(const TlsConfig& tls);

}  // namespace fairlead::extender
