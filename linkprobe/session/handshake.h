// How two probes prove themselves to each other when a session is set up.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "common/base/result.h"
#include "fairlead/v1/session.pb.h"

namespace fairlead::linkprobe {

inline constexpr std::uint32_t kSessionProtocolVersion = 1;
inline constexpr std::size_t kNonceBytes = 16;

// Sets `mac` to the HMAC-SHA256 of the message serialised without it.
Status Sign(v1::OpenRequest& request, std::uint32_t key_id, std::span<const std::uint8_t> key);
Status Sign(v1::OpenReply& reply, std::uint32_t key_id, std::span<const std::uint8_t> key);

// The same over the message's full name and the message, so that none passes for another.
Status Sign(v1::MeasureRequest& request, std::uint32_t key_id, std::span<const std::uint8_t> key);
Status Sign(v1::MeasureReply& reply, std::uint32_t key_id, std::span<const std::uint8_t> key);

// kUnauthenticated when the mac does not fit.
Status Verify(const v1::OpenRequest& request, std::span<const std::uint8_t> key);
Status Verify(const v1::OpenReply& reply, std::uint32_t key_id, std::span<const std::uint8_t> key);
Status Verify(const v1::MeasureRequest& request, std::span<const std::uint8_t> key);
Status Verify(const v1::MeasureReply& reply, std::uint32_t key_id,
              std::span<const std::uint8_t> key);

// From the kernel's random source.
std::string RandomNonce();
std::uint64_t RandomId();  // never 0

}  // namespace fairlead::linkprobe
