// A TCP client that sends exactly what a test says.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "common/base/file_descriptor.h"

namespace fairlead {

class RawClient {
 public:
  // Connects to 127.0.0.1; throws where that fails.
  explicit RawClient(std::uint16_t port);

  // Sends as much as the server takes.
  void Send(std::string_view bytes) const;
  // Tells the server that no more comes.
  void FinishSending() const;
  // Everything until the server closes; "(timed out)" at the end after 30 s, which only a fault
  // reaches.
  std::string ReadToEnd() const;
  // At least `size` bytes, fewer where the server closes first.
  std::string Read(std::size_t size) const;

 private:
  FileDescriptor fd_;
};

// One request on a connection of its own; what the server answered.
std::string Exchange(std::uint16_t port, std::string_view request);

// 0 where the answer is no HTTP.
int StatusOf(std::string_view answer);
std::string BodyOf(std::string_view answer);

}  // namespace fairlead
