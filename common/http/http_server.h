// The HTTP listener of every program: httplib's parsing and routing on our own sockets.
#pragma once

#include <httplib.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "common/http/connection_pool.h"
#include "common/http/http_body.h"
#include "common/http/http_framing.h"
#include "common/http/http_limits.h"
#include "common/http/listening_socket.h"
#include "common/http/tls_server.h"

namespace fairlead {

// HTTP/1.1, plain or with TLS. Requests whose body has no plain Content-Length are refused before a
// byte of the body is read, as are those for paths and methods that have no route. A client that
// sends or reads slowly costs only its own thread, and loses its connection when others need that
// one. Stop returns as soon as the handlers that run have returned. A refusal has a text/plain
// sentence as its body. Routes are added before Start; the rest is thread-safe.
//
// Own sockets, because httplib 0.11.4 has a fixed backlog of 5, a thread held for every idle
// connection until its timeout even while stopping, and no limit on a request's total time.
class HttpServer final : private httplib::Server {
 public:
  using Handler = httplib::Server::Handler;
  using Request = httplib::Request;
  using Response = httplib::Response;
  // `body` is valid during the call, with kBodyPadding readable zero bytes behind it.
  using BodyHandler =
      std::function<void(const Request&, std::string_view body, Response& response)>;

  // What became of one request. `service` runs from the last byte of its body to the answer in the
  // kernel's hands; absent where no handler was reached.
  struct Exchange {
    std::string path;
    int status = 0;  // 0: the connection ended before its head did
    std::optional<Nanoseconds> service;
  };

  // Binds, but does not serve yet.
  static Result<std::unique_ptr<HttpServer>> Bind(const ListenAddress& address, HttpLimits limits,
                                                  std::unique_ptr<TlsServer> tls = nullptr);
  ~HttpServer() override;

  // `method` is GET or POST, `path` the whole path. GET answers HEAD too.
  void Route(const std::string& method, const std::string& path, Handler handler);
  // POST with a body that is read straight into reused memory, which httplib would copy twice.
  void RouteBody(const std::string& path, BodyHandler handler);
  // Called after every request, on the thread that served it. Set before Start.
  void Observe(std::function<void(const Exchange&)> observer) { observer_ = std::move(observer); }
  void Start();
  void Stop();

  std::uint16_t port() const { return socket_.port; }
  // Requests refused for their framing, size or form since the start.
  std::uint64_t refused() const { return refused_.load(std::memory_order_relaxed); }

 private:
  HttpServer(ListeningSocket socket, FileDescriptor stop_fd, HttpLimits limits,
             std::unique_ptr<TlsServer> tls);

  void SetHandlers();
  void AcceptLoop();
  void Serve(int connection, Seat& seat);
  // Answers one request; false when the connection must be closed.
  bool ServeOne(class HttpStream& stream);
  // The same for a request whose head httplib is not to see.
  void RefuseHead(HttpStream& stream, const HttpFault& fault);
  bool Routed(const Request& request) const;
  // A refusal decided by the head alone.
  std::optional<HttpFault> Objection(const Request& request) const;
  void Explain(const Request& request, Response& response);
  void ServeBody(const BodyHandler& handler, const Request& request, std::size_t length,
                 Response& response);

  const HttpLimits limits_;
  ListeningSocket socket_;
  FileDescriptor stop_fd_;
  const std::unique_ptr<TlsServer> tls_;                 // null: plain
  std::map<std::string, std::set<std::string>> routes_;  // path to methods
  std::map<std::string, BodyHandler> body_routes_;
  std::function<void(const Exchange&)> observer_;
  HttpBodies bodies_;
  std::atomic<std::uint64_t> refused_{0};
  std::unique_ptr<ConnectionPool> pool_;
  std::jthread acceptor_;
};

}  // namespace fairlead
