#include "linkprobe/plugin/verdict_message.h"

#include <algorithm>

#include "fairlead/v1/node.pb.h"

namespace fairlead::linkprobe {
namespace {

constexpr std::uint32_t kProtocolVersion = 1;
// As node.proto says.
constexpr std::size_t kLongestSentence = 512;
constexpr std::size_t kLongestName = 253;
constexpr std::size_t kLongestMessage = 16384;
constexpr int kMostLines = 64;
constexpr Nanoseconds kLongestRtt = Seconds(3600);

bool IsSiteName(const std::string& name) {
  return !name.empty() && name.size() <= kLongestName &&
         std::all_of(name.begin(), name.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

std::uint64_t Age(MonotonicTime at, MonotonicTime now) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(0, (now - at).count()));
}

void AddLine(const LineFact& line, MonotonicTime now, v1::NicVerdicts& message) {
  if (!IsSiteName(line.peer_site) || line.rtt <= Nanoseconds(0) || line.rtt > kLongestRtt) return;
  v1::LineFacts& out = *message.add_lines();
  out.set_peer_site(line.peer_site);
  out.set_rtt_ns(static_cast<std::uint64_t>(line.rtt.count()));
  out.set_age_ns(Age(line.at, now));
  if (line.loss) {
    out.set_loss_lower(line.loss->lower);
    out.set_loss_upper(line.loss->upper);
  }
  if (line.capacity_bits_per_second.value_or(0) > 0) {
    out.set_capacity_bits_per_second(*line.capacity_bits_per_second);
  }
  if (message.lines_size() > kMostLines || message.ByteSizeLong() > kLongestMessage) {
    message.mutable_lines()->RemoveLast();
  }
}

}  // namespace

std::string EncodeVerdicts(std::span<const NicOpinion> opinions, const LinesOfSite& lines,
                           MonotonicTime now) {
  v1::NicVerdicts message;
  message.set_protocol_version(kProtocolVersion);
  for (const NicOpinion& opinion : opinions) {
    v1::NicVerdict& verdict = *message.add_verdicts();
    verdict.set_device(opinion.nic.device);
    verdict.set_port(opinion.nic.port);
    verdict.set_bad(opinion.bad);
    verdict.set_sentence(opinion.sentence.substr(0, kLongestSentence));
    verdict.set_age_ns(Age(opinion.at, now));
    verdict.set_peers(opinion.peers);
    verdict.set_failing_peers(opinion.failing);
    verdict.set_failing_in_site(opinion.failing_in_site);
  }
  if (IsSiteName(lines.site)) {
    message.set_site(lines.site);
    for (const LineFact& line : lines.lines) AddLine(line, now, message);
  }
  return message.SerializeAsString();
}

}  // namespace fairlead::linkprobe
