#include "linkprobe/auth/packet_key.h"

// The SHA-256 calls that OpenSSL 3 deprecates keep their state in a plain struct. Those that
// replace them go through some forty functions and several allocations for each mac, and to a probe
// that wakes a hundred times a second, its cache cold each time, that costs more than the hashing.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/crypto.h>
#include <openssl/sha.h>

#include <algorithm>
#include <string>

namespace fairlead::linkprobe {
namespace {

constexpr std::size_t kShortestKey = 16;
using Digest = std::array<std::uint8_t, SHA256_DIGEST_LENGTH>;
using Block = std::array<std::uint8_t, SHA256_CBLOCK>;

// The state after the key's block, which RFC 2104 puts before the message, each byte changed by
// `pad`.
bool Begin(const Block& key, std::uint8_t pad, SHA256_CTX& state) {
  Block block;
  std::transform(key.begin(), key.end(), block.begin(),
                 [pad](std::uint8_t byte) { return static_cast<std::uint8_t>(byte ^ pad); });
  const bool done =
      SHA256_Init(&state) == 1 && SHA256_Update(&state, block.data(), block.size()) == 1;
  OPENSSL_cleanse(block.data(), block.size());
  return done;
}

bool Finish(SHA256_CTX state, std::span<const std::uint8_t> message, Digest& out) {
  return SHA256_Update(&state, message.data(), message.size()) == 1 &&
         SHA256_Final(out.data(), &state) == 1;
}

}  // namespace

// HMAC-SHA256 (RFC 2104) with the key's two blocks already hashed.
struct PacketKey::Context {
  SHA256_CTX inner{};
  SHA256_CTX outer{};

  ~Context() {
    OPENSSL_cleanse(&inner, sizeof inner);
    OPENSSL_cleanse(&outer, sizeof outer);
  }

  bool Prepare(std::span<const std::uint8_t> key) {
    Block block{};
    Digest hashed{};
    if (key.size() > block.size()) {
      SHA256_CTX state;
      if (SHA256_Init(&state) != 1 || !Finish(state, key, hashed)) return false;
      key = hashed;
    }
    std::copy(key.begin(), key.end(), block.begin());
    const bool done = Begin(block, 0x36, inner) && Begin(block, 0x5c, outer);
    OPENSSL_cleanse(block.data(), block.size());
    return done;
  }

  bool Mac(std::span<const std::uint8_t> message, Digest& out) const {
    return Finish(inner, message, out) && Finish(outer, out, out);
  }
};

PacketKey::PacketKey(std::uint32_t id, std::unique_ptr<Context> context)
    : id_(id), context_(std::move(context)) {}
PacketKey::PacketKey(PacketKey&&) noexcept = default;
PacketKey& PacketKey::operator=(PacketKey&&) noexcept = default;
PacketKey::~PacketKey() = default;

Result<PacketKey> PacketKey::Create(std::uint32_t key_id, std::span<const std::uint8_t> key) {
  if (key.size() < kShortestKey) {
    return Fail(ErrorCode::kInvalidArgument, "probe key " + std::to_string(key_id) + " has " +
                                                 std::to_string(key.size()) + " bytes; at least " +
                                                 std::to_string(kShortestKey) + " are needed");
  }
  auto context = std::make_unique<Context>();
  if (!context->Prepare(key)) {
    return Fail(ErrorCode::kInternal,
                "OpenSSL offers no HMAC-SHA256 for probe key " + std::to_string(key_id));
  }
  return PacketKey(key_id, std::move(context));
}

bool PacketKey::Seal(PacketBytes& packet) {
  Digest digest{};
  if (!context_->Mac(std::span(packet).first(kMacOffset), digest)) return false;
  std::copy_n(digest.begin(), kMacBytes, packet.begin() + kMacOffset);
  return true;
}

bool PacketKey::Verify(std::span<const std::uint8_t> packet) {
  Digest digest{};
  if (packet.size() != kPacketBytes || !context_->Mac(packet.first(kMacOffset), digest)) {
    return false;
  }
  return EqualInConstantTime(packet.subspan(kMacOffset), std::span(digest).first(kMacBytes));
}

Result<std::array<std::uint8_t, 32>> PacketKey::Sign(std::span<const std::uint8_t> message) {
  Digest digest{};
  if (!context_->Mac(message, digest)) {
    return Fail(ErrorCode::kInternal,
                "OpenSSL failed to sign with probe key " + std::to_string(id_));
  }
  return digest;
}

bool EqualInConstantTime(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace fairlead::linkprobe
