#include "extender/http/http_stream.h"

#include <algorithm>
#include <cstring>

namespace fairlead::extender {
namespace {

// A pending buffer larger than this is given back after it was sent.
constexpr std::size_t kKeptPendingBytes = 1U << 20;

}  // namespace

bool HttpStream::AwaitRequest(MonotonicTime deadline) {
  return begin_ < end_ || channel_.WaitReadable(deadline);
}

std::size_t HttpStream::TakeBuffered(char* to, std::size_t size) {
  const std::size_t taken = std::min(size, end_ - begin_);
  std::memcpy(to, buffer_.data() + begin_, taken);
  begin_ += taken;
  return taken;
}

ssize_t HttpStream::read(char* to, std::size_t size) {
  if (begin_ == end_) {
    const ssize_t got = channel_.Read(buffer_.data(), buffer_.size(), read_deadline_);
    if (got <= 0) {
      failed_ = true;
      return got;
    }
    begin_ = 0;
    end_ = static_cast<std::size_t>(got);
  }
  return static_cast<ssize_t>(TakeBuffered(to, size));
}

ssize_t HttpStream::ReadBody(char* to, std::size_t size) {
  if (begin_ < end_) return static_cast<ssize_t>(TakeBuffered(to, size));
  const ssize_t got = channel_.Read(to, size, read_deadline_);
  if (got <= 0) failed_ = true;
  return got;
}

ssize_t HttpStream::write(const char* from, std::size_t size) {
  pending_.append(from, size);
  return static_cast<ssize_t>(size);
}

bool HttpStream::Flush(MonotonicTime deadline) {
  std::size_t sent = 0;
  while (sent < pending_.size()) {
    const ssize_t put = channel_.Write(pending_.data() + sent, pending_.size() - sent, deadline);
    if (put <= 0) {
      failed_ = true;
      return false;
    }
    sent += static_cast<std::size_t>(put);
  }
  if (pending_.capacity() > kKeptPendingBytes) {
    pending_ = std::string();
  } else {
    pending_.clear();
  }
  return true;
}

void HttpStream::Linger(MonotonicTime deadline) {
  channel_.CloseSending();
  while (channel_.Read(buffer_.data(), buffer_.size(), deadline) > 0) {
  }
}

void HttpStream::get_remote_ip_and_port(std::string& ip, int& port) const {
  ip.clear();
  port = 0;
}

void HttpStream::get_local_ip_and_port(std::string& ip, int& port) const {
  ip.clear();
  port = 0;
}

}  // namespace fairlead::extender
