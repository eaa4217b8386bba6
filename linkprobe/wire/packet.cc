#include "linkprobe/wire/packet.h"

#include <algorithm>
#include <string>
#include <type_traits>

namespace fairlead::linkprobe {
namespace {

constexpr std::uint32_t kMagic = 0x464c5031;  // "FLP1"
constexpr std::uint8_t kVersion = 1;
constexpr std::uint8_t kHardwareStamps = 1;
constexpr std::uint8_t kHopLimitKnown = 2;

// Writes fields one after the other; the layout is the order of the calls.
class Writer {
 public:
  explicit Writer(PacketBytes& out) : out_(out) {}

  template <class Integer>
  void Put(Integer value) {
    auto bits = static_cast<std::make_unsigned_t<Integer>>(value);
    for (std::size_t i = sizeof(Integer); i-- > 0;) {
      out_[at_ + i] = static_cast<std::uint8_t>(bits & 0xff);
      if constexpr (sizeof(Integer) > 1) bits = static_cast<decltype(bits)>(bits >> 8);
    }
    at_ += sizeof(Integer);
  }

 private:
  PacketBytes& out_;
  std::size_t at_ = 0;
};

class Reader {
 public:
  explicit Reader(std::span<const std::uint8_t> in) : in_(in) {}

  template <class Integer>
  void Get(Integer& value) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < sizeof(Integer); ++i) bits = bits << 8 | in_[at_ + i];
    at_ += sizeof(Integer);
    value = static_cast<Integer>(bits);
  }

 private:
  std::span<const std::uint8_t> in_;
  std::size_t at_ = 0;
};

// Everything between the header's first eight bytes and the mac, once for both ways.
template <class Stream, class PacketType, class Field>
void Body(Stream& stream, PacketType& p, Field field) {
  field(stream, p.session_id);
  field(stream, p.sequence);
  field(stream, p.t1);
  field(stream, p.t3);
  field(stream, p.t4);
  field(stream, p.previous_t4);
  field(stream, p.previous_t4_sequence);
  field(stream, p.responder_rx);
  field(stream, p.responder_tx);
  field(stream, p.rx_bitmap);
  field(stream, p.rx_hop_limit);
  field(stream, p.rx_tos);
  field(stream, p.rx_ahead);
  field(stream, p.forward_duplicates);
  field(stream, p.forward_reordered);
  field(stream, p.key_id);
  field(stream, p.prober_epoch);
}

bool HasResponderFields(const Packet& p) {
  return (p.t3 | p.t4 | p.previous_t4) != 0 ||
         (p.previous_t4_sequence | p.responder_rx | p.responder_tx | p.rx_bitmap) != 0 ||
         p.rx_hop_limit != 0 || p.rx_tos != 0 || p.rx_ahead != 0 || p.forward_duplicates != 0 ||
         p.forward_reordered != 0 || p.hop_limit_known;
}

tl::unexpected<Error> Refuse(std::string message) {
  return Fail(ErrorCode::kInvalidArgument, "probe packet: " + std::move(message));
}

}  // namespace

PacketBytes Encode(const Packet& packet) {
  PacketBytes bytes{};
  Writer writer(bytes);
  writer.Put(kMagic);
  writer.Put(kVersion);
  writer.Put(static_cast<std::uint8_t>(packet.kind));
  writer.Put(packet.path);
  writer.Put(static_cast<std::uint8_t>((packet.hardware_stamps ? kHardwareStamps : 0) |
                                       (packet.hop_limit_known ? kHopLimitKnown : 0)));
  Body(writer, packet, [](Writer& w, const auto& value) { w.Put(value); });
  std::copy(packet.mac.begin(), packet.mac.end(), bytes.begin() + kMacOffset);
  return bytes;
}

Result<Packet> Decode(std::span<const std::uint8_t> bytes) {
  if (bytes.size() != kPacketBytes) {
    return Refuse(std::to_string(bytes.size()) + " bytes instead of " +
                  std::to_string(kPacketBytes));
  }
  Reader reader(bytes);
  std::uint32_t magic = 0;
  std::uint8_t version = 0;
  std::uint8_t kind = 0;
  std::uint8_t flags = 0;
  Packet packet;
  reader.Get(magic);
  reader.Get(version);
  reader.Get(kind);
  reader.Get(packet.path);
  reader.Get(flags);
  if (magic != kMagic) return Refuse("does not begin with FLP1");
  if (version != kVersion) {
    return Refuse("version " + std::to_string(version) + " instead of 1; update the older probe");
  }
  if (kind != static_cast<std::uint8_t>(PacketKind::kProbe) &&
      kind != static_cast<std::uint8_t>(PacketKind::kReply)) {
    return Refuse("kind " + std::to_string(kind) + " is neither probe (1) nor reply (2)");
  }
  if ((flags & ~(kHardwareStamps | kHopLimitKnown)) != 0) {
    return Refuse("flags " + std::to_string(flags) + " has bits of no meaning");
  }
  packet.kind = static_cast<PacketKind>(kind);
  packet.hardware_stamps = (flags & kHardwareStamps) != 0;
  packet.hop_limit_known = (flags & kHopLimitKnown) != 0;
  Body(reader, packet, [](Reader& r, auto& value) { r.Get(value); });
  std::copy(bytes.begin() + kMacOffset, bytes.end(), packet.mac.begin());
  if (packet.sequence == 0) return Refuse("sequence 0; sequences begin at 1");
  if (packet.kind == PacketKind::kProbe && HasResponderFields(packet)) {
    return Refuse("a probe carries fields that only a responder can fill");
  }
  return packet;
}

}  // namespace fairlead::linkprobe
