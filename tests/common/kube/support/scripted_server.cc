#include "tests/common/kube/support/scripted_server.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <cstdlib>
#include <optional>
#include <stdexcept>

namespace fairlead {
namespace {

// True where `fd` can be read, false where `stop` can.
bool Readable(int fd, int stop) {
  pollfd watched[] = {{fd, POLLIN, 0}, {stop, POLLIN, 0}};
  while (poll(watched, 2, -1) < 0) {
  }
  return watched[1].revents == 0;
}

// Nothing where the client has gone first.
std::optional<SeenRequest> ReadRequest(int socket, int stop, std::string& buffer) {
  SeenRequest request;
  std::size_t head_end = std::string::npos;
  std::size_t length = 0;
  while (true) {
    if (head_end == std::string::npos &&
        (head_end = buffer.find("\r\n\r\n")) != std::string::npos) {
      std::size_t at = buffer.find("\r\n") + 2;
      while (at < head_end + 2) {
        const std::size_t end = buffer.find("\r\n", at);
        const std::size_t colon = buffer.find(':', at);
        std::string name = buffer.substr(at, colon - at);
        for (char& c : name) c = static_cast<char>(std::tolower(c));
        request.headers[name] = buffer.substr(colon + 2, end - colon - 2);
        at = end + 2;
      }
      length = std::strtoul(request.headers["content-length"].c_str(), nullptr, 10);
    }
    if (head_end != std::string::npos && buffer.size() >= head_end + 4 + length) break;
    char bytes[4096];
    if (!Readable(socket, stop)) return std::nullopt;
    const ssize_t got = recv(socket, bytes, sizeof bytes, 0);
    if (got <= 0) return std::nullopt;
    buffer.append(bytes, static_cast<std::size_t>(got));
  }
  const std::size_t space = buffer.find(' ');
  request.method = buffer.substr(0, space);
  const std::string target = buffer.substr(space + 1, buffer.find(' ', space + 1) - space - 1);
  request.path = target.substr(0, target.find('?'));
  for (std::size_t at = request.path.size() + 1; at < target.size();) {
    const std::size_t end = std::min(target.find('&', at), target.size());
    const std::size_t equals = target.find('=', at);
    request.query[target.substr(at, equals - at)] = target.substr(equals + 1, end - equals - 1);
    at = end + 1;
  }
  request.body = buffer.substr(head_end + 4, length);
  buffer.erase(0, head_end + 4 + length);
  return request;
}

}  // namespace

void Wire::Answer(int code, std::string_view body, std::string_view more_headers,
                  std::string_view type) {
  Raw("HTTP/1.1 " + std::to_string(code) + " X\r\nContent-Type: " + std::string(type) +
      "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" + std::string(more_headers) +
      "\r\n" + std::string(body));
}

void Wire::Begin(std::string_view type) {
  Raw("HTTP/1.1 200 OK\r\nContent-Type: " + std::string(type) +
      "\r\nTransfer-Encoding: chunked\r\n\r\n");
}

void Wire::Send(std::string_view piece) {
  char size[24];
  std::snprintf(size, sizeof size, "%zx\r\n", piece.size());
  Raw(size + std::string(piece) + "\r\n");
}

void Wire::End() { Raw("0\r\n\r\n"); }

bool Wire::Raw(std::string_view bytes) {
  while (!bytes.empty() && !broken_) {
    pollfd watched[] = {{socket_, POLLOUT, 0}, {stop_, POLLIN, 0}};
    if (poll(watched, 2, -1) < 0) continue;
    const ssize_t put = watched[1].revents != 0 ? -1
                                                : send(socket_, bytes.data(), bytes.size(),
                                                       MSG_NOSIGNAL | MSG_DONTWAIT);
    if (put < 0 && errno == EAGAIN) continue;
    if (put <= 0) broken_ = true;
    if (put > 0) bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  return !broken_;
}

void Wire::FallSilent() {
  char byte;
  while (Readable(socket_, stop_) && recv(socket_, &byte, 1, 0) > 0) {
  }
  broken_ = true;
}

ScriptedServer::ScriptedServer(Script script)
    : script_(std::move(script)), stop_(eventfd(0, EFD_CLOEXEC)) {
  auto socket = ListenTcp({"127.0.0.1", 0});
  if (!socket) throw std::runtime_error(socket.error().message);
  socket_ = *std::move(socket);
  acceptor_ = std::jthread([this] { Accept(); });
}

ScriptedServer::~ScriptedServer() {
  eventfd_write(stop_.get(), 1);
  acceptor_.join();
  connections_.clear();
}

std::vector<SeenRequest> ScriptedServer::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

void ScriptedServer::Accept() {
  while (Readable(socket_.fd.get(), stop_.get())) {
    FileDescriptor connection(accept4(socket_.fd.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!connection) continue;
    connections_.emplace_back([this](FileDescriptor held) { Serve(std::move(held)); },
                              std::move(connection));
  }
}

void ScriptedServer::Serve(FileDescriptor connection) {
  std::string buffer;
  Wire wire(connection.get(), stop_.get());
  while (!wire.broken()) {
    auto request = ReadRequest(connection.get(), stop_.get(), buffer);
    if (!request) return;
    {
      const std::lock_guard lock(mutex_);
      request->number = static_cast<int>(requests_.size());
      requests_.push_back(*request);
    }
    script_(*request, wire);
  }
}

}  // namespace fairlead
