// Any bytes as packets, through decoder, reflector and path monitor: no crash, no count that
// exceeds what was sent, bounded memory.
//
// The first byte of each chunk of the input says what happens next: time passes, a probe is sent,
// the chunk itself arrives at the reflector or, as a reply, at the monitor.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>

#include "linkprobe/monitor/path_monitor.h"
#include "linkprobe/reflect/reflector.h"
#include "linkprobe/wire/packet.h"

namespace fairlead::linkprobe {
namespace {

constexpr std::uint64_t kSession = 0x0707070707070707;
constexpr std::uint64_t kEpoch = 0x0909090909090909;

void Require(bool condition) {
  if (!condition) std::abort();
}

class World {
 public:
  World() {
    const SessionGrant grant{
        .session_id = kSession, .prober = "a", .prober_epoch = kEpoch, .key_id = 1, .paths = 2};
    Require(reflector_.Open(grant, now_).has_value());
    monitor_.OnSession(kSession, 1, now_);
  }

  // Consumes one command and returns how many bytes it took.
  std::size_t Do(std::span<const std::uint8_t> input) {
    const std::uint8_t command = input[0];
    switch (command % 8) {
      case 0:
        now_ += Milliseconds(command);
        break;
      case 1:
        monitor_.OnSend(now_.time_since_epoch().count(), now_);
        break;
      case 2:
        monitor_.OnSession(kSession, command / 8, now_);
        break;
      case 3:
        now_ += Seconds(command / 8);
        break;
      case 4:
        monitor_.Tick(now_);
        return 1;
      default:
        return 1 + Receive(input.subspan(1), command % 8 == 7);
    }
    monitor_.Tick(now_);
    Check();
    return 1;
  }

 private:
  std::size_t Receive(std::span<const std::uint8_t> input, bool reflect_first) {
    const std::span<const std::uint8_t> bytes =
        input.first(std::min<std::size_t>(input.size(), kPacketBytes));
    auto packet = Decode(bytes);
    if (!packet) return bytes.size();
    Require(std::memcmp(Encode(*packet).data(), bytes.data(), kPacketBytes) == 0);
    if (packet->kind == PacketKind::kProbe || reflect_first) {
      auto reply = reflector_.OnProbe(*packet, {.t3 = packet->t1, .hop_limit = packet->path}, now_);
      if (!reply) return bytes.size();
      reflector_.OnReplyLeft(kSession, packet->path, packet->sequence, packet->t1);
      packet = *reply;
      Require(Decode(Encode(*packet)).has_value());
    }
    const std::int64_t now = now_.time_since_epoch().count();
    monitor_.OnReply(*packet, {.t5 = now, .t6 = now}, now_);
    return bytes.size();
  }

  void Check() const {
    const PathTotals& t = monitor_.totals();
    Require(t.answered + t.lost_forward + t.lost_reverse + t.lost_unknown + t.discarded <= t.sent);
    const LinkMeasurement m = monitor_.Measure(now_);
    Require(m.forward.loss.lost <= m.forward.loss.sent && m.forward.loss.sent <= t.sent);
    Require(m.reverse.loss.lost <= m.reverse.loss.sent && m.reverse.loss.sent <= t.sent);
    Require(m.rtt_min.value_or(Nanoseconds(1)) > Nanoseconds(0));
    Require(!monitor_.verdict().evidence.empty());
  }

  MonotonicTime now_{Seconds(1000)};
  Reflector reflector_;
  PathMonitor monitor_{PathMonitorSettings{}};
};

}  // namespace
}  // namespace fairlead::linkprobe

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fairlead::linkprobe::World world;
  std::span<const std::uint8_t> input(data, size);
  while (!input.empty()) input = input.subspan(world.Do(input));
  return 0;
}
