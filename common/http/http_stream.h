// One client's connection as httplib reads and writes it.
#pragma once

#include <httplib.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/http/seat.h"
#include "common/http/tls_server.h"

namespace fairlead {

// Reads through a buffer that lives as long as the connection, gathers writes so that head and body
// leave in one segment, and gives up when the request's deadline, its byte budget or the server's
// end is reached. Used by one thread.
class HttpStream final : public httplib::Stream {
 public:
  // `fd` is non-blocking and owned by the caller; `stop_fd` becomes readable when the server ends.
  // `seat` is told of every wait. With a session the bytes go through TLS.
  HttpStream(int fd, int stop_fd, Seat& seat, std::unique_ptr<TlsSession> tls = nullptr);

  // Waits for the next request's first byte; false at the timeout, and when the server ends.
  bool WaitForRequest(Nanoseconds timeout);

  enum class Head {
    kWhole,
    kTooLong,  // longer than `most`; the part that came is in head()
    kLate,     // part of it came before the deadline
    kCut,      // part of it came before the client finished sending
    kNone,     // nothing of it came, or the connection broke, or the server ends
  };
  // Gathers the request's head, to be read later, without using up the budget.
  Head ReadHead(std::size_t most);
  // What ReadHead found.
  std::span<char> head() { return {in_.data() + in_begin_, head_size_}; }
  // Drops bytes from the beginning of the head.
  void SkipOfHead(std::size_t bytes);

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
  bool PollUntil(short events, MonotonicTime deadline) const;
  ssize_t Receive(char* out, std::size_t size);

  ssize_t Transmit(const char* data, std::size_t size);

  const int fd_;
  const int stop_fd_;
  Seat& seat_;
  const std::unique_ptr<TlsSession> tls_;
  Nanoseconds allowance_{};
  MonotonicTime deadline_{};
  std::size_t budget_ = 0;
  std::vector<char> in_;
  std::size_t in_begin_ = 0;
  std::size_t in_end_ = 0;
  std::size_t head_size_ = 0;
  std::string out_;
};

}  // namespace fairlead
