#include "common/http/connection_pool.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>

#include "common/base/log.h"

namespace fairlead {
namespace {

constexpr std::size_t kMostWaiting = 256;  // each costs a descriptor

// For each connection whether its client has sent something, or has gone.
std::vector<pollfd> Poll(const std::deque<FileDescriptor>& queue) {
  std::vector<pollfd> fds;
  fds.reserve(queue.size());
  for (const FileDescriptor& connection : queue) fds.push_back({connection.get(), POLLIN, 0});
  poll(fds.data(), fds.size(), 0);  // a failure leaves all as if nothing were sent
  return fds;
}

bool Speaks(const pollfd& entry) { return entry.revents != 0; }

}  // namespace

ConnectionPool::ConnectionPool(std::size_t most, Nanoseconds patience, ServeConnection serve)
    : most_(most), patience_(patience), serve_(std::move(serve)) {}

void ConnectionPool::Close() {
  {
    std::lock_guard lock(mutex_);
    closed_ = true;
    queue_.clear();
  }
  ready_.notify_all();
  threads_.clear();
}

void ConnectionPool::Submit(FileDescriptor connection) {
  {
    std::lock_guard lock(mutex_);
    if (closed_) return;
    queue_.push_back(std::move(connection));
    if (queue_.size() > idle_ && threads_.size() < most_) {
      try {
        threads_.emplace_back([this] { Run(); });
        ++idle_;
      } catch (const std::system_error& error) {
        LogWarning("no thread for an HTTP connection, it waits", {{"error", error.what()}});
      }
    }
  }
  ready_.notify_one();
}

ConnectionPool::Room ConnectionPool::MakeRoom() {
  std::lock_guard lock(mutex_);
  if (queue_.size() <= idle_) return {};
  const std::vector<pollfd> fds = Poll(queue_);
  const auto speaking = static_cast<std::size_t>(std::count_if(fds.begin(), fds.end(), Speaks));
  const MonotonicTime now = SystemClock().Now();
  while (idle_ + leaving_ < speaking) {
    Served* const worst = WorstOf(now);
    if (worst == nullptr) break;
    worst->shut_down = true;
    ++leaving_;
    // An answer that its client does not take shall not stay in the kernel either.
    const linger none{.l_onoff = 1, .l_linger = 0};
    setsockopt(worst->fd, SOL_SOCKET, SO_LINGER, &none, sizeof none);
    shutdown(worst->fd, SHUT_RDWR);
  }
  if (queue_.size() >= kMostWaiting) {
    const auto silent = std::find_if_not(fds.begin(), fds.end(), Speaks);
    if (silent == fds.end()) return {.crowded = true, .full = true};
    queue_.erase(queue_.begin() + (silent - fds.begin()));
  }
  return {.crowded = true, .full = false};
}

ConnectionPool::Served* ConnectionPool::WorstOf(MonotonicTime now) {
  Served* worst = nullptr;
  std::optional<Seat::Claim> lowest;
  for (Served* const each : served_) {
    const auto claim = each->shut_down ? std::nullopt : each->seat.ClaimOn(now, patience_);
    if (!claim || (lowest && *lowest <= *claim)) continue;
    lowest = claim;
    worst = each;
  }
  return worst;
}

// Silent clients, however many, do not hold up those that speak.
FileDescriptor ConnectionPool::Next() {
  auto next = queue_.begin();
  if (queue_.size() > 1) {
    const std::vector<pollfd> fds = Poll(queue_);
    const auto speaking = std::find_if(fds.begin(), fds.end(), Speaks);
    if (speaking != fds.end()) next += speaking - fds.begin();
  }
  FileDescriptor connection = std::move(*next);
  queue_.erase(next);
  return connection;
}

void ConnectionPool::Run() {
  std::unique_lock lock(mutex_);
  while (true) {
    ready_.wait(lock, [this] { return closed_ || !queue_.empty(); });
    if (closed_) return;
    --idle_;
    const FileDescriptor connection = Next();
    Served served{.fd = connection.get(), .seat = Seat(SystemClock().Now())};
    served_.push_back(&served);
    lock.unlock();
    serve_(served.fd, served.seat);
    lock.lock();
    std::erase(served_, &served);
    if (served.shut_down) --leaving_;
    ++idle_;
  }
}

}  // namespace fairlead
