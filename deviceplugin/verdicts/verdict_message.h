// What linkprobe says of this node's NICs and lines, read from bytes that may be anything.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "common/base/clock.h"
#include "deviceplugin/health/ailment.h"
#include "deviceplugin/verdicts/heard_lines.h"

namespace fairlead::deviceplugin {

// Why a message was refused, as a whole: half of one would be a verdict that nobody gave.
enum class VerdictRefusal {
  kSender,     // neither root nor the plugin's own user
  kTooLong,    // more than kLongestMessage
  kMalformed,  // not a NicVerdicts message
  kVersion,    // of another protocol version
  kTooMany,    // more than 64 verdicts, or two on one port
  kDevice,     // a device name that no RDMA device can have, or port 0
  kSentence,   // too long, of several lines, or not printable ASCII
  kLine,       // more than 64 lines, two to one site, or a site's name or a value that can't be
};
inline constexpr std::size_t kVerdictRefusals = 8;

// Stable words for metrics: "sender", "too_long".
std::string_view VerdictRefusalName(VerdictRefusal refusal);

inline constexpr std::size_t kLongestMessage = 16384;

// What one message says.
struct ProbeWord {
  std::vector<NicVerdict> verdicts;
  HeardLines lines;
};

// One message that arrived `now`; each `at` is when the probe measured. What is stale is in it,
// too. Thread-safe.
tl::expected<ProbeWord, VerdictRefusal> ReadVerdicts(std::string_view message, MonotonicTime now);

}  // namespace fairlead::deviceplugin
