#include "linkprobe/session/handshake.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <sys/random.h>

#include <array>
#include <cerrno>
#include <cstdlib>

#include "linkprobe/auth/packet_key.h"

namespace fairlead::linkprobe {
namespace {

using MacBytes = std::array<std::uint8_t, 32>;

// What a mac of the message begins with. The older messages have none.
std::string NameBefore(const v1::OpenRequest&) { return {}; }
std::string NameBefore(const v1::OpenReply&) { return {}; }
std::string NameBefore(const v1::MeasureRequest& message) { return message.GetTypeName(); }
std::string NameBefore(const v1::MeasureReply& message) { return message.GetTypeName(); }

// Both sides must produce the same bytes, so the order of a serialiser's free choices is fixed.
template <class Message>
std::string WithoutMac(Message message) {
  message.clear_mac();
  std::string bytes;
  google::protobuf::io::StringOutputStream stream(&bytes);
  google::protobuf::io::CodedOutputStream coded(&stream);
  coded.SetSerializationDeterministic(true);
  message.SerializeToCodedStream(&coded);
  coded.Trim();
  return bytes;
}

template <class Message>
Result<MacBytes> MacOf(const Message& message, std::uint32_t key_id,
                       std::span<const std::uint8_t> key) {
  auto made = PacketKey::Create(key_id, key);
  if (!made) return Fail(made.error());
  const std::string bytes = NameBefore(message) + WithoutMac(message);
  return made->Sign({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

template <class Message>
Status SignMessage(Message& message, std::uint32_t key_id, std::span<const std::uint8_t> key) {
  const auto mac = MacOf(message, key_id, key);
  if (!mac) return Fail(mac.error());
  message.set_mac(mac->data(), mac->size());
  return {};
}

template <class Message>
Status VerifyMessage(const Message& message, std::uint32_t key_id,
                     std::span<const std::uint8_t> key) {
  const auto mac = MacOf(message, key_id, key);
  if (!mac) return Fail(mac.error());
  const auto* given = reinterpret_cast<const std::uint8_t*>(message.mac().data());
  if (EqualInConstantTime(*mac, {given, message.mac().size()})) return {};
  return Fail(ErrorCode::kUnauthenticated,
              "mac does not fit: the two probes hold different keys, or the message was changed");
}

void FillRandom(void* out, std::size_t size) {
  // At most 256 bytes are never cut short once the kernel's source is seeded.
  while (::getrandom(out, size, 0) != static_cast<ssize_t>(size)) {
    if (errno != EINTR) std::abort();
  }
}

}  // namespace

Status Sign(v1::OpenRequest& request, std::uint32_t key_id, std::span<const std::uint8_t> key) {
  request.set_key_id(key_id);
  return SignMessage(request, key_id, key);
}

Status Sign(v1::OpenReply& reply, std::uint32_t key_id, std::span<const std::uint8_t> key) {
  return SignMessage(reply, key_id, key);
}

Status Verify(const v1::OpenRequest& request, std::span<const std::uint8_t> key) {
  return VerifyMessage(request, request.key_id(), key);
}

Status Verify(const v1::OpenReply& reply, std::uint32_t key_id, std::span<const std::uint8_t> key) {
  return VerifyMessage(reply, key_id, key);
}

Status Sign(v1::MeasureRequest& request, std::uint32_t key_id, std::span<const std::uint8_t> key) {
  request.set_key_id(key_id);
  return SignMessage(request, key_id, key);
}

Status Sign(v1::MeasureReply& reply, std::uint32_t key_id, std::span<const std::uint8_t> key) {
  return SignMessage(reply, key_id, key);
}

Status Verify(const v1::MeasureRequest& request, std::span<const std::uint8_t> key) {
  return VerifyMessage(request, request.key_id(), key);
}

Status Verify(const v1::MeasureReply& reply, std::uint32_t key_id,
              std::span<const std::uint8_t> key) {
  return VerifyMessage(reply, key_id, key);
}

std::string RandomNonce() {
  std::string nonce(kNonceBytes, '\0');
  FillRandom(nonce.data(), nonce.size());
  return nonce;
}

std::uint64_t RandomId() {
  std::uint64_t id = 0;
  while (id == 0) FillRandom(&id, sizeof id);
  return id;
}

}  // namespace fairlead::linkprobe
