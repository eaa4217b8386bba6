// The HTTP listener of every program: httplib's parsing and routing on our own sockets.
#pragma once

#include <httplib.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>

#include "common/base/result.h"
#include "common/http/connection_pool.h"
#include "common/http/http_limits.h"
#include "common/http/listening_socket.h"

namespace fairlead {

// HTTP/1.1 without TLS. Requests whose body has no plain Content-Length are refused before a byte
// of the body is read, a slow client costs only its own thread, and Stop returns as soon as the
// handlers that run have returned. A refusal has a text/plain sentence as its body. Routes are
// added before Start; the rest is thread-safe.
//
// Own sockets, because httplib 0.11.4 has a fixed backlog of 5, a thread held for every idle
// connection until its timeout even while stopping, and no limit on a request's total time.
class HttpServer final : private httplib::Server {
 public:
  using Handler = httplib::Server::Handler;
  using Request = httplib::Request;
  using Response = httplib::Response;

  // Binds, but does not serve yet.
  static Result<std::unique_ptr<HttpServer>> Bind(const ListenAddress& address, HttpLimits limits);
  ~HttpServer() override;

  // `method` is GET or POST, `path` the whole path. GET answers HEAD too.
  void Route(const std::string& method, const std::string& path, Handler handler);
  void Start();
  void Stop();

  std::uint16_t port() const { return socket_.port; }
  // Requests refused for their framing, size or form since the start.
  std::uint64_t refused() const { return refused_.load(std::memory_order_relaxed); }

 private:
  HttpServer(ListeningSocket socket, FileDescriptor stop_fd, HttpLimits limits);

  void SetHandlers();
  void AcceptLoop();
  void Serve(FileDescriptor connection);
  // Answers one request; false when the connection must be closed.
  bool ServeOne(class HttpStream& stream);
  void Explain(const Request& request, Response& response);

  const HttpLimits limits_;
  ListeningSocket socket_;
  FileDescriptor stop_fd_;
  std::map<std::string, std::set<std::string>> routes_;  // path to methods
  std::atomic<std::uint64_t> refused_{0};
  std::unique_ptr<ConnectionPool> pool_;
  std::jthread acceptor_;
};

}  // namespace fairlead
