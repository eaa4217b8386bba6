// The listener that schedulers and people call.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "common/config/config.h"
#include "extender/http/byte_channel.h"
#include "extender/http/http_limits.h"
#include "extender/http/http_message.h"

namespace fairlead::extender {

// Told of every request, on the thread that serves it. Thread-safe.
class HttpObserver {
 public:
  virtual ~HttpObserver() = default;
  // `service` runs from the last byte of the body to the answer in the kernel's hands.
  virtual void Served(std::string_view path, int status, Nanoseconds service) = 0;
  // A request or connection that was cut off before it reached a handler, and why in one word.
  virtual void Refused(std::string_view reason) = 0;
};

// Serves HTTP/1.1 until destroyed. A client that is slow, silent or hostile costs its own
// connection and nobody else's.
class HttpServer {
 public:
  // Binds and listens; fails when the address is taken or not this host's. `handler` is called for
  // every well-framed request and `observer` must outlive the server.
  static Result<std::unique_ptr<HttpServer>> Listen(const ListenAddress& address,
                                                    std::unique_ptr<ChannelMaker> channels,
                                                    const HttpLimits& limits, HttpHandler handler,
                                                    HttpObserver& observer);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // The port listened on, also where the kernel chose it.
  std::uint16_t port() const;

 private:
  class Impl;
  explicit HttpServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace fairlead::extender
