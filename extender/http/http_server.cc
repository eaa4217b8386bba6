#include "extender/http/http_server.h"

#include <httplib.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <exception>
#include <thread>
#include <utility>

#include "extender/http/body_buffer.h"
#include "extender/http/connection_threads.h"
#include "extender/http/connections.h"
#include "extender/http/framing.h"
#include "extender/http/http_stream.h"

namespace fairlead::extender {
namespace {

constexpr int kListenBacklog = 512;  // httplib asks for 5
constexpr std::string_view kLengthHeader = "Content-Length";

Framing FramingOf(const httplib::Request& request, std::size_t max_body_bytes) {
  FramingHeaders headers;
  const auto lengths = request.headers.equal_range(std::string(kLengthHeader));
  for (auto it = lengths.first; it != lengths.second; ++it) {
    headers.content_length.push_back(it->second);
  }
  headers.has_transfer_encoding = request.has_header("Transfer-Encoding");
  headers.has_content_encoding = request.has_header("Content-Encoding");
  return CheckFraming(request.method, headers, max_body_bytes);
}

// What the connection's thread knows about the request under way.
struct Exchange {
  HttpStream* stream = nullptr;
  Framing framing;
  std::string path;
  int status = 0;
  MonotonicTime received{};
  bool reached_handler = false;
  bool close_after = true;  // until the request proved to be well framed
};

thread_local Exchange* current_exchange = nullptr;

void Fill(httplib::Response& response, HttpAnswer answer) {
  response.status = answer.status;
  if (!answer.allow.empty()) response.set_header("Allow", answer.allow);
  response.set_header("Content-Type", answer.content_type);
  response.body = std::move(answer.body);
}

}  // namespace

class HttpServer::Impl final : public httplib::Server {
 public:
  Impl(std::unique_ptr<ChannelMaker> channels, const HttpLimits& limits, HttpHandler handler,
       HttpObserver& observer)
      : channels_(std::move(channels)),
        limits_(limits),
        handler_(std::move(handler)),
        observer_(observer),
        bodies_(limits.max_buffered_bytes) {
    // SO_REUSEPORT, which httplib would set, lets two servers share a port in silence.
    set_socket_options([](socket_t socket) {
      const int on = 1;
      ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    });
    set_tcp_nodelay(true);
    set_idle_interval(0, 0);
    new_task_queue = [this] {
      return new ConnectionThreads(limits_.max_connections, [this] { connections_.EndIdlest(); });
    };
    set_expect_100_continue_handler([](const httplib::Request&, httplib::Response& response) {
      if (!current_exchange->framing.fault) return 100;
      Answer(response);
      return response.status;
    });
    set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      Serve(request, response);
      return HandlerResponse::Handled;
    });
    // Requests that httplib itself refuses: a broken request line or header.
    set_error_handler(HandlerWithResponse([](const httplib::Request&, httplib::Response& response) {
      current_exchange->status = response.status;
      if (response.body.empty()) Fill(response, ErrorAnswer(response.status, "malformed request"));
      return HandlerResponse::Handled;
    }));
  }

  Status Bind(const ListenAddress& address) {
    errno = 0;
    const int bound = address.port == 0
                          ? bind_to_any_port(address.host)
                          : (bind_to_port(address.host, address.port) ? address.port : -1);
    if (bound <= 0) {
      const int error = errno;
      return Fail(ErrorCode::kUnavailable,
                  "cannot listen on " + address.host + ":" + std::to_string(address.port) + ": " +
                      (error == 0 ? "the address is not one of this host's or the port is taken"
                                  : std::strerror(error)) +
                      "; choose another extender.httpListen");
    }
    port_ = static_cast<std::uint16_t>(bound);
    if (::listen(svr_sock_, kListenBacklog) != 0) {
      return Fail(ErrorCode::kInternal, std::string("listen failed: ") + std::strerror(errno));
    }
    loop_ = std::thread([this] { listen_after_bind(); });
    return {};
  }

  void Stop() {
    stopping_ = true;
    if (!loop_.joinable()) return;
    // The loop may not have begun to accept yet, when stop() would do nothing.
    while (!is_running()) std::this_thread::yield();
    stop();
    connections_.EndAll();
    loop_.join();
  }

  std::uint16_t port() const { return port_; }

 private:
  bool process_and_close_socket(socket_t socket) override {
    connections_.Open(socket, clock_.Now());
    const int on = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    try {
      const auto channel = channels_->Make(socket, clock_.Now() + limits_.first_request_timeout);
      if (channel) {
        Converse(socket, *channel);
      } else {
        observer_.Refused("tls_handshake");
      }
    } catch (const std::exception&) {
      observer_.Refused("internal");
    }
    connections_.Close(socket);
    return true;
  }

  void Converse(int socket, ByteChannel& channel) {
    const auto stream = std::make_unique<HttpStream>(channel);
    Nanoseconds patience = limits_.first_request_timeout;
    while (!stopping_ && stream->AwaitRequest(clock_.Now() + patience)) {
      connections_.BeginRequest(socket);
      const bool go_on = ServeOne(*stream);
      connections_.EndRequest(socket, clock_.Now());
      if (!go_on) return;
      patience = limits_.idle_timeout;
    }
  }

  // One request and its answer; false when the connection is to be closed.
  bool ServeOne(HttpStream& stream) {
    Exchange exchange;
    exchange.stream = &stream;
    current_exchange = &exchange;
    stream.SetReadDeadline(clock_.Now() + limits_.request_timeout);
    bool client_closes = false;
    const bool answered =
        process_request(stream, false, client_closes, [&](httplib::Request& request) {
          exchange.framing = FramingOf(request, limits_.max_body_bytes);
          // Or httplib would compress each answer, and serve a part of one.
          request.headers.erase("Accept-Encoding");
          request.ranges.clear();
          exchange.close_after = exchange.framing.fault.has_value();
          if (!exchange.close_after) return;
          request.headers.erase("Connection");  // makes httplib say that it closes
          request.set_header("Connection", "close");
        });
    current_exchange = nullptr;
    const bool taken = stream.Flush(clock_.Now() + limits_.answer_timeout);
    if (exchange.reached_handler) {
      observer_.Served(exchange.path, exchange.status, clock_.Now() - exchange.received);
    } else if (exchange.status != 0 || stream.failed()) {
      observer_.Refused(RefusalReason(exchange));
    }
    if (!answered || !taken || stream.failed()) return false;
    if (exchange.close_after && exchange.status != 0) {
      stream.Linger(clock_.Now() + limits_.linger);
      return false;
    }
    return !client_closes;
  }

  static std::string_view RefusalReason(const Exchange& exchange) {
    if (exchange.framing.fault) return exchange.framing.fault->reason;
    return exchange.stream->failed() ? "incomplete" : "malformed";
  }

  // Fills in the answer to a request whose framing was refused.
  static void Answer(httplib::Response& response) {
    const FramingFault& fault = *current_exchange->framing.fault;
    current_exchange->status = fault.status;
    Fill(response, ErrorAnswer(fault.status, fault.message));
  }

  void Serve(const httplib::Request& request, httplib::Response& response) {
    Exchange& exchange = *current_exchange;
    if (exchange.framing.fault) return Answer(response);
    BodyBuffer body(bodies_);
    if (const int status = ReceiveBody(exchange, body); status != 200) {
      exchange.close_after = true;
      exchange.status = status;
      return Fill(response,
                  ErrorAnswer(status, status == 503 ? "too many large bodies at once; try again"
                                                    : "the body ended early or came too slowly"));
    }
    exchange.received = clock_.Now();
    exchange.reached_handler = true;
    exchange.path = request.path;
    HttpAnswer answer = CallHandler(request, body.Finish());
    exchange.status = answer.status;
    Fill(response, std::move(answer));
  }

  int ReceiveBody(Exchange& exchange, BodyBuffer& body) {
    const std::size_t total = exchange.framing.content_length;
    while (body.size() < total) {
      if (!body.MakeRoom(total)) return 503;
      const std::size_t wanted = std::min(body.room(), total - body.size());
      const ssize_t got = exchange.stream->ReadBody(body.end(), wanted);
      if (got <= 0) return 408;
      body.Grow(static_cast<std::size_t>(got));
    }
    return 200;
  }

  HttpAnswer CallHandler(const httplib::Request& request, std::string_view body) {
    const std::size_t mark = request.target.find('?');
    const std::string accept = request.get_header_value("Accept");
    try {
      return handler_(HttpRequest{.method = request.method,
                                  .path = request.path,
                                  .accept = accept,
                                  .query = mark == std::string::npos
                                               ? std::string_view()
                                               : std::string_view(request.target).substr(mark + 1),
                                  .body = body});
    } catch (const std::exception& failure) {
      return ErrorAnswer(500, std::string("internal error: ") + failure.what());
    }
  }

  const SystemClock clock_;
  const std::unique_ptr<ChannelMaker> channels_;
  const HttpLimits limits_;
  const HttpHandler handler_;
  HttpObserver& observer_;
  BodyBuffers bodies_;
  Connections connections_;
  std::atomic<bool> stopping_ = false;
  std::uint16_t port_ = 0;
  std::thread loop_;
};

HttpServer::HttpServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

HttpServer::~HttpServer() { impl_->Stop(); }

std::uint16_t HttpServer::port() const { return impl_->port(); }

Result<std::unique_ptr<HttpServer>> HttpServer::Listen(const ListenAddress& address,
                                                       std::unique_ptr<ChannelMaker> channels,
                                                       const HttpLimits& limits,
                                                       HttpHandler handler,
                                                       HttpObserver& observer) {
  auto impl = std::make_unique<Impl>(std::move(channels), limits, std::move(handler), observer);
  if (auto bound = impl->Bind(address); !bound) return Fail(std::move(bound.error()));
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(impl)));
}

}  // namespace fairlead::extender
