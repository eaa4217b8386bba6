#include "tests/common/support/raw_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <cstdlib>
#include <stdexcept>

namespace fairlead {

RawClient::RawClient(std::uint16_t port) : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const timeval limit{30, 0};
  setsockopt(fd_.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  setsockopt(fd_.get(), SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  if (connect(fd_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    throw std::runtime_error("connect failed");
  }
}

void RawClient::Send(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t sent = send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

void RawClient::FinishSending() const { shutdown(fd_.get(), SHUT_WR); }

std::string RawClient::Read(std::size_t size) const {
  std::string out;
  char buffer[65536];
  while (out.size() < size) {
    const ssize_t got = recv(fd_.get(), buffer, sizeof buffer, 0);
    if (got < 0) return out + "(timed out)";
    if (got == 0) return out;
    out.append(buffer, static_cast<std::size_t>(got));
  }
  return out;
}

std::string RawClient::ReadToEnd() const { return Read(std::string::npos); }

std::string Exchange(std::uint16_t port, std::string_view request) {
  const RawClient client(port);
  client.Send(request);
  return client.ReadToEnd();
}

int StatusOf(std::string_view answer) {
  if (!answer.starts_with("HTTP/1.1 ") || answer.size() < 12) return 0;
  return std::atoi(std::string(answer.substr(9, 3)).c_str());
}

std::string BodyOf(std::string_view answer) {
  const std::size_t end = answer.find("\r\n\r\n");
  return end == std::string_view::npos ? "" : std::string(answer.substr(end + 4));
}

}  // namespace fairlead
