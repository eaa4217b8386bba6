#include "extender/http/connections.h"

#include <sys/socket.h>
#include <unistd.h>

namespace fairlead::extender {

void Connections::Open(int socket, MonotonicTime now) {
  std::lock_guard lock(mutex_);
  entries_[socket] = Entry{.busy = false, .ended = false, .idle_since = now};
}

void Connections::Close(int socket) {
  std::lock_guard lock(mutex_);
  entries_.erase(socket);
  ::close(socket);
}

void Connections::BeginRequest(int socket) {
  std::lock_guard lock(mutex_);
  entries_[socket].busy = true;
}

void Connections::EndRequest(int socket, MonotonicTime now) {
  std::lock_guard lock(mutex_);
  Entry& entry = entries_[socket];
  entry.busy = false;
  entry.idle_since = now;
}

bool Connections::EndIdlest() {
  std::lock_guard lock(mutex_);
  auto idlest = entries_.end();
  for (auto it = entries_.begin(); it != entries_.end(); ++it) {
    if (it->second.busy || it->second.ended) continue;
    if (idlest == entries_.end() || it->second.idle_since < idlest->second.idle_since) idlest = it;
  }
  if (idlest == entries_.end()) return false;
  idlest->second.ended = true;
  ::shutdown(idlest->first, SHUT_RDWR);
  return true;
}

void Connections::EndAll() {
  std::lock_guard lock(mutex_);
  for (auto& [socket, entry] : entries_) {
    entry.ended = true;
    ::shutdown(socket, SHUT_RDWR);
  }
}

std::size_t Connections::size() const {
  std::lock_guard lock(mutex_);
  return entries_.size();
}

}  // namespace fairlead::extender
