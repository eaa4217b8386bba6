// Transports joined by an emulated line, on a clock that the test moves.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "linkprobe/transport/transport.h"
#include "tests/linkprobe/fakes/manual_clock.h"

namespace fairlead::linkprobe {

// One packet under way.
struct FakePacket {
  std::string from;
  std::string to;
  std::uint32_t path = 0;
  std::vector<std::uint8_t> bytes;
  MonotonicTime arrives{};
};

// Used by one thread. What a test does to packets it does in `line`: change, delay, or return false
// to lose one.
class FakeNetwork {
 public:
  explicit FakeNetwork(ManualClock& clock) : clock_(clock) {}

  std::function<bool(FakePacket&)> line = [](FakePacket&) { return true; };
  Nanoseconds delay = Milliseconds(18);      // each way
  std::optional<std::uint8_t> told_class{};  // traffic class that ends say they send with
  std::uint8_t arriving_class = 0;           // and that of packets as they arrive

  // The transport of host `name` with this many paths.
  std::unique_ptr<Transport> Open(const std::string& name, std::uint32_t paths = 1);
  // Puts a packet on the line as if `packet.from` had sent it.
  void Inject(FakePacket packet);
  // Delivers what has arrived at `name` by now.
  void Deliver(const std::string& name, TransportEvents& events);

  ManualClock& clock() { return clock_; }
  std::map<std::string, std::uint64_t> sent;  // packets by sender

 private:
  friend class FakeTransport;

  ManualClock& clock_;
  std::vector<FakePacket> under_way_;
  std::map<std::string, std::deque<SendStamp>> stamps_;
};

}  // namespace fairlead::linkprobe
