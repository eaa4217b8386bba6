// One client's connection as httplib reads and writes it.
#pragma once

#include <httplib.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/http/tls_server.h"

namespace fairlead {

// Reads through a buffer that lives as long as the connection, gathers writes so that head and body
// leave in one segment, and gives up when the request's deadline, its byte budget or the server's
// end is reached. Used by one thread.
class HttpStream final : public httplib::Stream {
 public:
  // `fd` is non-blocking and owned by the caller; `stop_fd` becomes readable when the server ends.
  // With a session the bytes go through TLS.
  HttpStream(int fd, int stop_fd, std::unique_ptr<TlsSession> tls = nullptr);

  enum class Wake { kReadable, kTimeout, kEnd };
  // Waits for the next request's first byte.
  Wake WaitForRequest(Nanoseconds timeout);

  // Starts a request: reads fail `deadline` from now or after `budget` bytes. The answer has
  // `deadline` again from its first byte.
  void BeginRequest(Nanoseconds deadline, std::size_t budget);
  // What may still be read of this request, once its length is known.
  void SetBudget(std::size_t budget) { budget_ = budget; }
  std::size_t budget() const { return budget_; }
  // Sends what is gathered; false when the client is gone or does not read.
  bool Flush();
  // Reads and drops what the client still sends, so that closing does not reset the connection
  // before the answer has been read. Ends with the client, or after `most`.
  void Drain(Nanoseconds most);

  bool is_readable() const override;
  bool is_writable() const override;
  ssize_t read(char* out, std::size_t size) override;
  ssize_t write(const char* data, std::size_t size) override;
  void get_remote_ip_and_port(std::string& ip, int& port) const override;
  void get_local_ip_and_port(std::string& ip, int& port) const override;
  socket_t socket() const override { return fd_; }

 private:
  // False at the deadline, and when the server ends.
  bool WaitFor(short events, MonotonicTime deadline) const;
  ssize_t Receive(char* out, std::size_t size);

  ssize_t Transmit(const char* data, std::size_t size);

  const int fd_;
  const int stop_fd_;
  const std::unique_ptr<TlsSession> tls_;
  Nanoseconds allowance_{};
  MonotonicTime deadline_{};
  std::size_t budget_ = 0;
  std::vector<char> in_;
  std::size_t in_begin_ = 0;
  std::size_t in_end_ = 0;
  std::string out_;
};

}  // namespace fairlead
