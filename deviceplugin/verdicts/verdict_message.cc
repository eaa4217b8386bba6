#include "deviceplugin/verdicts/verdict_message.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "fairlead/v1/node.pb.h"

namespace fairlead::deviceplugin {
namespace {

constexpr std::uint32_t kProtocolVersion = 1;
constexpr int kMostVerdicts = 64;
constexpr std::size_t kLongestName = 63;  // the kernel's IB_DEVICE_NAME_MAX without the last zero
constexpr std::size_t kLongestSentence = 512;
constexpr std::uint64_t kOldest = 86'400'000'000'000;  // a day: as stale as any age beyond

bool IsPrintable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

bool IsDeviceName(std::string_view name) {
  return !name.empty() && name.size() <= kLongestName && IsPrintable(name) &&
         name.find_first_of("/ ") == std::string_view::npos;
}

}  // namespace

std::string_view VerdictRefusalName(VerdictRefusal refusal) {
  switch (refusal) {
    case VerdictRefusal::kSender:
      return "sender";
    case VerdictRefusal::kTooLong:
      return "too_long";
    case VerdictRefusal::kMalformed:
      return "malformed";
    case VerdictRefusal::kVersion:
      return "version";
    case VerdictRefusal::kTooMany:
      return "too_many";
    case VerdictRefusal::kDevice:
      return "device";
    case VerdictRefusal::kSentence:
      return "sentence";
  }
  return "unknown";
}

tl::expected<std::vector<NicVerdict>, VerdictRefusal> ReadVerdicts(std::string_view message,
                                                                   MonotonicTime now) {
  const auto refuse = [](VerdictRefusal why) { return tl::unexpected(why); };
  if (message.size() > kLongestMessage) return refuse(VerdictRefusal::kTooLong);
  v1::NicVerdicts read;
  if (!read.ParseFromArray(message.data(), static_cast<int>(message.size()))) {
    return refuse(VerdictRefusal::kMalformed);
  }
  if (read.protocol_version() != kProtocolVersion) return refuse(VerdictRefusal::kVersion);
  if (read.verdicts_size() > kMostVerdicts) return refuse(VerdictRefusal::kTooMany);
  std::vector<NicVerdict> verdicts;
  std::set<std::pair<std::string, std::uint32_t>> ports;
  for (const v1::NicVerdict& from : read.verdicts()) {
    if (!IsDeviceName(from.device()) || from.port() == 0) return refuse(VerdictRefusal::kDevice);
    if (!ports.emplace(from.device(), from.port()).second) return refuse(VerdictRefusal::kTooMany);
    if (from.sentence().size() > kLongestSentence || !IsPrintable(from.sentence())) {
      return refuse(VerdictRefusal::kSentence);
    }
    const auto age = static_cast<std::int64_t>(std::min(from.age_ns(), kOldest));
    verdicts.push_back({.device = from.device(),
                        .port = from.port(),
                        .bad = from.bad(),
                        .sentence = from.sentence(),
                        .at = now - Nanoseconds(age)});
  }
  return verdicts;
}

}  // namespace fairlead::deviceplugin
