// Proof that a packet comes from a holder of the pair's key.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "common/base/result.h"
#include "linkprobe/wire/packet.h"

namespace fairlead::linkprobe {

// An HMAC-SHA256 key with its context prepared, so that a mac is four to six blocks of hashing.
// Movable; not thread-safe (each loop has its own).
class PacketKey {
 public:
  // kInvalidArgument for a key shorter than 16 bytes; kInternal when OpenSSL refuses.
  static Result<PacketKey> Create(std::uint32_t key_id, std::span<const std::uint8_t> key);

  PacketKey(PacketKey&&) noexcept;
  PacketKey& operator=(PacketKey&&) noexcept;
  ~PacketKey();

  std::uint32_t id() const { return id_; }

  // Writes the mac of bytes 0..111 into bytes 112..127. False when OpenSSL fails; the packet must
  // then not be sent.
  [[nodiscard]] bool Seal(PacketBytes& packet);

  // True when the last 16 of exactly 128 bytes are the mac of the rest; compared in constant time.
  [[nodiscard]] bool Verify(std::span<const std::uint8_t> packet);

  // The full 32-byte HMAC-SHA256 of any message, for the session set-up. Empty Result on failure of
  // OpenSSL.
  Result<std::array<std::uint8_t, 32>> Sign(std::span<const std::uint8_t> message);

 private:
  struct Context;
  PacketKey(std::uint32_t id, std::unique_ptr<Context> context);

  std::uint32_t id_ = 0;
  std::unique_ptr<Context> context_;
};

// Equality of two byte strings in time that depends on their length only.
bool EqualInConstantTime(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b);

}  // namespace fairlead::linkprobe
