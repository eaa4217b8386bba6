// httplib's view of a connection: buffered reads, one write per answer, a deadline for each phase.
#pragma once

#include <httplib.h>

#include <array>
#include <cstddef>
#include <string>

#include "common/base/clock.h"
#include "extender/http/byte_channel.h"

namespace fairlead::extender {

// Lives as long as its connection and is used by that connection's thread alone.
class HttpStream final : public httplib::Stream {
 public:
  explicit HttpStream(ByteChannel& channel) : channel_(channel) {}

  // Waits for the first byte of a request; false when none came until `deadline`.
  bool AwaitRequest(MonotonicTime deadline);
  // From now on reads fail once `deadline` has passed.
  void SetReadDeadline(MonotonicTime deadline) { read_deadline_ = deadline; }
  // Takes up to `size` body bytes past httplib, which would copy them in 4 KiB steps.
  ssize_t ReadBody(char* to, std::size_t size);
  // Sends what has been written since the last call; false when the client did not take it.
  bool Flush(MonotonicTime deadline);
  // Says that no more comes, then discards what the client still sends, so that it reads the answer
  // instead of a connection reset.
  void Linger(MonotonicTime deadline);
  bool failed() const { return failed_; }

  bool is_readable() const override { return true; }
  bool is_writable() const override { return true; }
  ssize_t read(char* to, std::size_t size) override;
  ssize_t write(const char* from, std::size_t size) override;
  void get_remote_ip_and_port(std::string& ip, int& port) const override;
  void get_local_ip_and_port(std::string& ip, int& port) const override;
  // httplib compares this with FD_SETSIZE for its own select calls, none of which are made here.
  socket_t socket() const override { return 0; }

 private:
  std::size_t TakeBuffered(char* to, std::size_t size);

  ByteChannel& channel_;
  MonotonicTime read_deadline_{};
  std::array<char, 16384> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::string pending_;
  bool failed_ = false;
};

}  // namespace fairlead::extender
