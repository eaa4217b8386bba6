#include "deviceplugin/verdicts/verdict_message.h"

#include <algorithm>
#include <optional>
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
constexpr std::size_t kLongestSite = 253;
constexpr std::uint64_t kLongestRtt = 3'600'000'000'000;
constexpr std::uint64_t kOldest = 86'400'000'000'000;  // a day: as stale as any age beyond

bool IsPrintable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

bool IsDeviceName(std::string_view name) {
  return !name.empty() && name.size() <= kLongestName && IsPrintable(name) &&
         name.find_first_of("/ ") == std::string_view::npos;
}

MonotonicTime MeasuredAt(std::uint64_t age_ns, MonotonicTime now) {
  return now - Nanoseconds(static_cast<std::int64_t>(std::min(age_ns, kOldest)));
}

bool IsSiteName(const std::string& name) {
  return !name.empty() && name.size() <= kLongestSite && IsPrintable(name);
}

// Also false for what is no number.
bool AreBounds(double lower, double upper) { return lower >= 0 && lower <= upper && upper <= 1; }

// Nothing where a line is one that no probe would tell of.
std::optional<HeardLines> ReadLines(const v1::NicVerdicts& from, MonotonicTime now) {
  HeardLines out{.site = from.site(), .lines = {}};
  if (from.lines_size() > static_cast<int>(kMostHeardLines)) return std::nullopt;
  if (!out.site.empty() && !IsSiteName(out.site)) return std::nullopt;
  std::set<std::string> peers;
  for (const v1::LineFacts& line : from.lines()) {
    if (!IsSiteName(line.peer_site()) || line.peer_site() == out.site) return std::nullopt;
    if (!peers.insert(line.peer_site()).second) return std::nullopt;
    if (line.rtt_ns() == 0 || line.rtt_ns() > kLongestRtt) return std::nullopt;
    HeardLine& heard = out.lines.emplace_back();
    heard.peer = line.peer_site();
    heard.rtt = Nanoseconds(static_cast<std::int64_t>(line.rtt_ns()));
    heard.at = MeasuredAt(line.age_ns(), now);
    if (line.has_loss_lower() != line.has_loss_upper()) return std::nullopt;
    if (line.has_loss_lower()) {
      if (!AreBounds(line.loss_lower(), line.loss_upper())) return std::nullopt;
      heard.loss = {line.loss_lower(), line.loss_upper()};
    }
    if (line.has_capacity_bits_per_second()) {
      if (line.capacity_bits_per_second() == 0) return std::nullopt;
      heard.capacity_bits_per_second = line.capacity_bits_per_second();
    }
  }
  std::sort(out.lines.begin(), out.lines.end(),
            [](const HeardLine& a, const HeardLine& b) { return a.peer < b.peer; });
  return out;
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
    case VerdictRefusal::kLine:
      return "line";
  }
  return "unknown";
}

tl::expected<ProbeWord, VerdictRefusal> ReadVerdicts(std::string_view message, MonotonicTime now) {
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
    verdicts.push_back({.device = from.device(),
                        .port = from.port(),
                        .bad = from.bad(),
                        .sentence = from.sentence(),
                        .at = MeasuredAt(from.age_ns(), now)});
  }
  auto lines = ReadLines(read, now);
  if (!lines) return refuse(VerdictRefusal::kLine);
  return ProbeWord{.verdicts = std::move(verdicts), .lines = *std::move(lines)};
}

}  // namespace fairlead::deviceplugin
