#include "deviceplugin/verdicts/heard_verdicts.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>

namespace fairlead::deviceplugin {
namespace {

std::set<std::pair<std::string, std::uint32_t>> BadPorts(const std::vector<NicVerdict>& verdicts) {
  std::set<std::pair<std::string, std::uint32_t>> bad;
  for (const NicVerdict& verdict : verdicts) {
    if (verdict.bad) bad.emplace(verdict.device, verdict.port);
  }
  return bad;
}

}  // namespace

bool HeardVerdicts::Hear(std::vector<NicVerdict> verdicts, MonotonicTime now) {
  const auto before = BadPorts(verdicts_);
  verdicts_ = std::move(verdicts);
  Expire(now);
  return BadPorts(verdicts_) != before;
}

bool HeardVerdicts::Expire(MonotonicTime now) {
  const auto before = BadPorts(verdicts_);
  std::erase_if(verdicts_,
                [&](const NicVerdict& verdict) { return now - verdict.at > kNicVerdictLife; });
  return BadPorts(verdicts_) != before;
}

std::optional<MonotonicTime> HeardVerdicts::NextExpiry() const {
  if (verdicts_.empty()) return std::nullopt;
  const auto oldest =
      std::min_element(verdicts_.begin(), verdicts_.end(),
                       [](const NicVerdict& a, const NicVerdict& b) { return a.at < b.at; });
  return oldest->at + kNicVerdictLife + Nanoseconds(1);
}

}  // namespace fairlead::deviceplugin
