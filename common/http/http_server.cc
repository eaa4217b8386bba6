#include "common/http/http_server.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <exception>
#include <utility>

#include "common/base/errno_text.h"
#include "common/base/log.h"
#include "common/http/http_head.h"
#include "common/http/http_stream.h"

namespace fairlead {
namespace {

constexpr std::size_t kMostRequests = 1'000'000'000;  // on one connection; only announced
constexpr Nanoseconds kCrowdedPause = Milliseconds(5);
constexpr Nanoseconds kDrain = Seconds(2);

HttpFraming FramingOf(const httplib::Request& request) {
  HttpFraming framing;
  framing.method = request.method;
  const auto [first, last] = request.headers.equal_range("Content-Length");
  for (auto it = first; it != last; ++it) framing.content_lengths.push_back(it->second);
  framing.transfer_encoding = request.has_header("Transfer-Encoding");
  framing.content_encoding = request.has_header("Content-Encoding");
  return framing;
}

// What the thread that serves a request knows about it.
struct Current {
  HttpStream* stream = nullptr;
  HttpServer::Exchange exchange;
  MonotonicTime received{};
};
thread_local Current* current = nullptr;

std::optional<HttpFault> FaultOf(HttpStream::Head read, std::span<const char> head) {
  switch (read) {
    case HttpStream::Head::kWhole:
    case HttpStream::Head::kTooLong:
      return HeadFault({head.data(), head.size()});
    case HttpStream::Head::kLate:
      return HttpFault{408, "the head came too slowly"};
    case HttpStream::Head::kCut:
      return HttpFault{400, "the head ended early"};
    case HttpStream::Head::kNone:
      break;
  }
  return std::nullopt;
}

void Refuse(const HttpFault& fault, httplib::Response& response) {
  response.status = fault.status;
  response.set_content(fault.message + "\n", "text/plain");
}

std::string Escaped(const std::string& path) {
  std::string pattern;
  for (const char c : path) {
    const bool plain = c == '/' || c == '_' || c == '-' || (c >= '0' && c <= '9') ||
                       (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!plain) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

}  // namespace

Result<std::unique_ptr<HttpServer>> HttpServer::Bind(const ListenAddress& address,
                                                     HttpLimits limits,
                                                     std::unique_ptr<TlsServer> tls) {
  Result<ListeningSocket> socket = ListenTcp(address);
  if (!socket) return Fail(socket.error());
  FileDescriptor stop_fd(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!stop_fd) return Fail(SystemError(errno, "make an eventfd"));
  return std::unique_ptr<HttpServer>(
      new HttpServer(*std::move(socket), std::move(stop_fd), limits, std::move(tls)));
}

HttpServer::HttpServer(ListeningSocket socket, FileDescriptor stop_fd, HttpLimits limits,
                       std::unique_ptr<TlsServer> tls)
    : limits_(limits),
      socket_(std::move(socket)),
      stop_fd_(std::move(stop_fd)),
      tls_(std::move(tls)),
      bodies_(limits.most_buffered_bytes) {
  SetHandlers();
}

HttpServer::~HttpServer() { Stop(); }

void HttpServer::SetHandlers() {
  set_payload_max_length(limits_.most_body_bytes);
  set_keep_alive_max_count(kMostRequests);
  set_keep_alive_timeout(std::chrono::duration_cast<Seconds>(limits_.keep_alive).count());
  set_expect_100_continue_handler([this](const Request& request, Response& response) {
    const auto objection = Objection(request);
    if (!objection) return 100;
    Refuse(*objection, response);
    return response.status;
  });
  set_pre_routing_handler([this](const Request& request, Response& response) {
    if (const auto objection = Objection(request)) {
      Refuse(*objection, response);
      return HandlerResponse::Handled;
    }
    const auto route = body_routes_.find(request.path);
    if (route != body_routes_.end() && request.method == "POST") {
      ServeBody(route->second, request, current->stream->budget(), response);
      return HandlerResponse::Handled;
    }
    current->received = SystemClock().Now();
    return HandlerResponse::Unhandled;
  });
  set_error_handler(
      httplib::Server::HandlerWithResponse([this](const Request& request, Response& response) {
        Explain(request, response);
        return HandlerResponse::Handled;
      }));
  set_exception_handler([](const Request& request, Response& response, std::exception_ptr) {
    LogError("an HTTP handler threw", {{"path", request.path}});
    response.status = 500;
  });
  set_post_routing_handler([](const Request& request, Response& response) {
    current->exchange.path = request.path;
    current->exchange.status = response.status;
    if (response.get_header_value("Connection") == "close") response.headers.erase("Keep-Alive");
  });
}

void HttpServer::Explain(const Request& request, Response& response) {
  if (response.status == 405) {
    std::string allowed;
    for (const std::string& method : routes_.at(request.path)) {
      if (!allowed.empty()) allowed += ", ";
      allowed += method == "GET" ? "GET, HEAD" : method;
    }
    response.set_header("Allow", allowed);
    response.body = request.method + " is not answered here; use " + allowed + "\n";
  } else if (response.body.empty()) {
    switch (response.status) {
      case 413:
        response.body = "the body is too long\n";
        break;
      case 500:
        response.body = "internal error, see the log\n";
        break;
      default:  // a status is a number, not an enum of ours
        response.body = "the request is malformed\n";
    }
  }
  if (!response.has_header("Content-Type")) response.set_header("Content-Type", "text/plain");
  // Only a request that was understood to its end leaves the connection in a known state.
  const bool understood = !request.method.empty() && response.status != 400;
  if (!understood && request.get_header_value("Connection") != "close") {
    response.set_header("Connection", "close");
  }
  if (response.status < 500 && response.status != 404 && response.status != 405) ++refused_;
}

bool HttpServer::Routed(const Request& request) const {
  const auto route = routes_.find(request.path);
  return route != routes_.end() &&
         route->second.contains(request.method == "HEAD" ? "GET" : request.method);
}

std::optional<HttpFault> HttpServer::Objection(const Request& request) const {
  if (!routes_.contains(request.path)) return HttpFault{404, "no such path"};
  if (!Routed(request)) return HttpFault{405, ""};  // Explain knows what is allowed
  const auto length = BodyLength(FramingOf(request), limits_.most_body_bytes);
  return length ? std::nullopt : std::optional(length.error());
}

void HttpServer::Route(const std::string& method, const std::string& path, Handler handler) {
  routes_[path].insert(method);
  if (method == "GET") {
    Get(Escaped(path), std::move(handler));
  } else {
    Post(Escaped(path), std::move(handler));
  }
}

void HttpServer::RouteBody(const std::string& path, BodyHandler handler) {
  routes_[path].insert("POST");
  body_routes_[path] = std::move(handler);
}

void HttpServer::ServeBody(const BodyHandler& handler, const Request& request, std::size_t length,
                           Response& response) {
  HttpBody body(bodies_);
  while (body.size() < length) {
    if (!body.MakeRoom(length)) {
      Refuse({503, "too many large bodies at once; try again"}, response);
      return;
    }
    const ssize_t got =
        current->stream->read(body.end(), std::min(body.room(), length - body.size()));
    if (got <= 0) {
      Refuse({408, "the body ended early or came too slowly"}, response);
      return;
    }
    body.Grow(static_cast<std::size_t>(got));
  }
  current->received = SystemClock().Now();
  handler(request, body.Finish(), response);
}

void HttpServer::Start() {
  svr_sock_ = socket_.fd.get();
  pool_ = std::make_unique<ConnectionPool>(limits_.most_connections, limits_.patience,
                                           [this](int fd, Seat& seat) { Serve(fd, seat); });
  acceptor_ = std::jthread([this] { AcceptLoop(); });
}

void HttpServer::Stop() {
  const std::uint64_t one = 1;
  if (write(stop_fd_.get(), &one, sizeof one) < 0) {
    // The counter is full: it has been signalled before.
  }
  if (acceptor_.joinable()) acceptor_.join();
  // Its threads still look at the pool, so it is closed before it is destroyed.
  if (pool_) pool_->Close();
  svr_sock_ = -1;
  socket_.fd = FileDescriptor();
}

void HttpServer::AcceptLoop() {
  std::array<pollfd, 2> fds{{{socket_.fd.get(), POLLIN, 0}, {stop_fd_.get(), POLLIN, 0}}};
  ConnectionPool::Room room;
  const int pause =
      static_cast<int>(std::chrono::duration_cast<Milliseconds>(kCrowdedPause).count());
  while (true) {
    // What finds no room stays in the backlog.
    fds[0].fd = room.full ? -1 : socket_.fd.get();
    fds[0].revents = 0;
    if (poll(fds.data(), fds.size(), room.crowded ? pause : -1) < 0 && errno != EINTR) {
      LogError("poll of an HTTP listener failed", {{"error", ErrnoText(errno)}});
      return;
    }
    if (fds[1].revents != 0) return;
    if (fds[0].revents != 0) {
      FileDescriptor connection(
          accept4(socket_.fd.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
      if (connection) {
        pool_->Submit(std::move(connection));
      } else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS) {
        // Out of descriptors: wait instead of spinning.
        poll(&fds[1], 1, pause);
      }
    }
    room = pool_->MakeRoom();
  }
}

void HttpServer::Serve(int connection, Seat& seat) {
  std::unique_ptr<TlsSession> session = tls_ ? tls_->Accept(connection) : nullptr;
  // Without memory for a session the client gets nothing, rather than plain text.
  if (tls_ && !session) return;
  HttpStream stream(connection, stop_fd_.get(), seat, std::move(session));
  // A client that has not sent anything yet gets no more time than one that sends slowly.
  Nanoseconds most = limits_.request_deadline;
  while (stream.WaitForRequest(most)) {
    seat.StartRequest(SystemClock().Now());
    if (!ServeOne(stream)) return;
    seat.FinishRequest(SystemClock().Now());
    most = limits_.keep_alive;
  }
}

bool HttpServer::ServeOne(HttpStream& stream) {
  stream.BeginRequest(limits_.request_deadline, kMostHeadBytes);
  const HttpStream::Head read = stream.ReadHead(kMostHeadBytes);
  if (const auto fault = FaultOf(read, stream.head())) {
    RefuseHead(stream, *fault);
    return false;
  }
  if (read == HttpStream::Head::kNone) {
    // A client that just closed has sent nothing of a request.
    if (observer_ && !stream.head().empty()) observer_({});
    return false;
  }
  stream.SkipOfHead(ToOriginForm(stream.head()));
  bool in_step = false;
  Current state{.stream = &stream, .exchange = {}, .received = {}};
  current = &state;
  bool connection_closed = false;
  const bool answered = process_request(stream, false, connection_closed, [&](Request& request) {
    const auto length = BodyLength(FramingOf(request), limits_.most_body_bytes);
    stream.SetBudget(length.value_or(0));
    in_step = length.has_value() && (*length == 0 || Routed(request));
    // Go asks for gzip by default: compressing costs more than loopback and pod networks gain.
    request.headers.erase("Accept-Encoding");
    request.ranges.clear();
    if (!in_step) {
      request.headers.erase("Connection");
      request.set_header("Connection", "close");
    }
  });
  const bool sent = stream.Flush();
  current = nullptr;
  if (observer_) {
    if (state.received != MonotonicTime{}) {
      state.exchange.service = SystemClock().Now() - state.received;
    }
    observer_(state.exchange);
  }
  // Whatever of the request is still unread would be taken for the next one.
  in_step = in_step && sent && stream.budget() == 0;
  if (!in_step) stream.Drain(kDrain);
  return answered && in_step && !connection_closed;
}

void HttpServer::RefuseHead(HttpStream& stream, const HttpFault& fault) {
  ++refused_;
  const std::string answer = RefusalText(fault);
  stream.write(answer.data(), answer.size());
  stream.Flush();
  if (observer_) observer_({.path = {}, .status = fault.status, .service = std::nullopt});
  stream.Drain(kDrain);
}

}  // namespace fairlead
