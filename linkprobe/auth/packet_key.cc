#include "linkprobe/auth/packet_key.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <algorithm>
#include <string>

namespace fairlead::linkprobe {
namespace {

constexpr std::size_t kShortestKey = 16;
constexpr std::size_t kDigestBytes = 32;

struct FreeMac {
  void operator()(EVP_MAC* mac) const { EVP_MAC_free(mac); }
};
struct FreeContext {
  void operator()(EVP_MAC_CTX* context) const { EVP_MAC_CTX_free(context); }
};

}  // namespace

struct PacketKey::Context {
  std::unique_ptr<EVP_MAC_CTX, FreeContext> keyed;

  // Re-initialising without a key keeps the one set first and skips its schedule and every look-up
  // by name, which cost more than hashing 112 bytes.
  bool Digest(std::span<const std::uint8_t> message, std::array<std::uint8_t, kDigestBytes>& out) {
    std::size_t length = 0;
    return EVP_MAC_init(keyed.get(), nullptr, 0, nullptr) == 1 &&
           EVP_MAC_update(keyed.get(), message.data(), message.size()) == 1 &&
           EVP_MAC_final(keyed.get(), out.data(), &length, out.size()) == 1 && length == out.size();
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
  const std::unique_ptr<EVP_MAC, FreeMac> mac(EVP_MAC_fetch(nullptr, "HMAC", nullptr));
  auto context = std::make_unique<Context>();
  if (mac != nullptr) context->keyed.reset(EVP_MAC_CTX_new(mac.get()));
  char digest[] = "SHA256";
  const OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0),
      OSSL_PARAM_construct_end()};
  if (context->keyed == nullptr ||
      EVP_MAC_init(context->keyed.get(), key.data(), key.size(), parameters) != 1) {
    return Fail(ErrorCode::kInternal,
                "OpenSSL offers no HMAC-SHA256 for probe key " + std::to_string(key_id));
  }
  return PacketKey(key_id, std::move(context));
}

bool PacketKey::Seal(PacketBytes& packet) {
  std::array<std::uint8_t, kDigestBytes> digest{};
  if (!context_->Digest(std::span(packet).first(kMacOffset), digest)) return false;
  std::copy_n(digest.begin(), kMacBytes, packet.begin() + kMacOffset);
  return true;
}

bool PacketKey::Verify(std::span<const std::uint8_t> packet) {
  std::array<std::uint8_t, kDigestBytes> digest{};
  if (packet.size() != kPacketBytes || !context_->Digest(packet.first(kMacOffset), digest)) {
    return false;
  }
  return EqualInConstantTime(packet.subspan(kMacOffset), std::span(digest).first(kMacBytes));
}

Result<std::array<std::uint8_t, 32>> PacketKey::Sign(std::span<const std::uint8_t> message) {
  std::array<std::uint8_t, kDigestBytes> digest{};
  if (!context_->Digest(message, digest)) {
    return Fail(ErrorCode::kInternal,
                "OpenSSL failed to sign with probe key " + std::to_string(id_));
  }
  return digest;
}

bool EqualInConstantTime(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace fairlead::linkprobe
