#include "linkprobe/plugin/verdict_message.h"

#include <algorithm>

#include "fairlead/v1/node.pb.h"

namespace fairlead::linkprobe {
namespace {

constexpr std::uint32_t kProtocolVersion = 1;
constexpr std::size_t kLongestSentence = 512;  // as node.proto says

}  // namespace

std::string EncodeVerdicts(std::span<const NicOpinion> opinions, MonotonicTime now) {
  v1::NicVerdicts message;
  message.set_protocol_version(kProtocolVersion);
  for (const NicOpinion& opinion : opinions) {
    v1::NicVerdict& verdict = *message.add_verdicts();
    verdict.set_device(opinion.nic.device);
    verdict.set_port(opinion.nic.port);
    verdict.set_bad(opinion.bad);
    verdict.set_sentence(opinion.sentence.substr(0, kLongestSentence));
    verdict.set_age_ns(
        static_cast<std::uint64_t>(std::max<std::int64_t>(0, (now - opinion.at).count())));
    verdict.set_peers(opinion.peers);
    verdict.set_failing_peers(opinion.failing);
    verdict.set_failing_in_site(opinion.failing_in_site);
  }
  return message.SerializeAsString();
}

}  // namespace fairlead::linkprobe
