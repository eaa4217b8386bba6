// The probe packet: one fixed layout for probe and reply, so that a reply is never longer than what
// asked for it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "common/base/result.h"

namespace fairlead::linkprobe {

inline constexpr std::size_t kPacketBytes = 128;
inline constexpr std::size_t kMacBytes = 16;
inline constexpr std::size_t kMacOffset = kPacketBytes - kMacBytes;

using PacketBytes = std::array<std::uint8_t, kPacketBytes>;
using Mac = std::array<std::uint8_t, kMacBytes>;

enum class PacketKind : std::uint8_t { kProbe = 1, kReply = 2 };

// Network byte order, offsets in bytes, stamps in nanoseconds of any clock that does not step:
//
//   0 magic u32 "FLP1"           40 t4 i64                      88 rx_hop_limit u8
//   4 version u8 = 1             48 previous_t4 i64             89 rx_tos u8
//   5 kind u8                    56 previous_t4_sequence u64    90 rx_ahead u16
//   6 path u8                    64 responder_rx u64            92 forward_duplicates u32
//   7 flags u8                   72 responder_tx u64            96 forward_reordered u32
//   8 session_id u64             80 rx_bitmap u64              100 key_id u32
//  16 sequence u64                                             104 prober_epoch u64
//  24 t1 i64, 32 t3 i64                                        112 mac, 16 bytes
//
// Flags: bit 0 hardware_stamps, bit 1 hop_limit_known; the others are zero. In a probe every field
// that only a responder can fill (t3 ... forward_reordered) is zero.
struct Packet {
  PacketKind kind = PacketKind::kProbe;
  std::uint8_t path = 0;
  bool hardware_stamps = false;  // T3 and previous_t4 were taken by the device, not by software
  std::uint64_t session_id = 0;  // from the session set-up
  std::uint64_t sequence = 0;    // the prober's, per session and path, from 1 without gaps
  std::int64_t t1 = 0;           // prober's clock when the probe was posted; handed back unchanged
  std::int64_t t3 = 0;           // responder's clock when the probe arrived
  std::int64_t t4 = 0;           // the same clock just before the reply was posted
  std::int64_t previous_t4 = 0;  // the same clock when an earlier reply of this path really left,
  std::uint64_t previous_t4_sequence = 0;  // and the probe that one answered; 0: not known
  std::uint64_t responder_rx = 0;          // distinct probes received in this session and path
  std::uint64_t responder_tx = 0;          // replies sent, this one included
  std::uint16_t rx_ahead = 0;              // highest sequence received so far minus `sequence`
  std::uint64_t rx_bitmap = 0;             // bit i: probe (sequence + rx_ahead - i) was received
  bool hop_limit_known = false;            // rx_hop_limit and rx_tos were read from the probe
  std::uint8_t rx_hop_limit = 0;           // hop limit of the probe as it arrived
  std::uint8_t rx_tos = 0;                 // its traffic class byte; the low two bits are ECN
  std::uint32_t forward_duplicates = 0;    // probes that arrived again, this session and path
  std::uint32_t forward_reordered = 0;     // probes that arrived behind a later one
  std::uint32_t key_id = 0;                // which key made the mac
  std::uint64_t prober_epoch = 0;          // the prober's start; new at each of its restarts
  Mac mac{};                               // HMAC-SHA256 over bytes 0..111, first 16 bytes

  bool operator==(const Packet&) const = default;
};

// Never fails. The mac field is copied as it is; see PacketKey::Seal.
PacketBytes Encode(const Packet& packet);

// kInvalidArgument, saying what and where, for a wrong length, magic, version, kind or flag, for a
// sequence of 0, and for a probe that carries responder's fields. Checks no mac.
Result<Packet> Decode(std::span<const std::uint8_t> bytes);

}  // namespace fairlead::linkprobe
