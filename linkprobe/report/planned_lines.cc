#include "linkprobe/report/planned_lines.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>

namespace fairlead::linkprobe {
namespace {

// As registry.proto says.
constexpr std::size_t kMostLines = 64;
constexpr std::size_t kLongestName = 253;
constexpr std::uint64_t kLongestRttNs = Seconds(3600) / Nanoseconds(1);
// Older counts for nobody, and does not overflow.
constexpr std::uint64_t kOldestNs = Seconds(24 * 3600) / Nanoseconds(1);

// Also false for what is no number.
bool AreBounds(double lower, double upper) { return lower >= 0 && lower <= upper && upper <= 1; }

bool IsPossible(const v1::SiteLine& line, const std::string& own_site) {
  const std::string& peer = line.peer_site();
  if (peer.empty() || peer.size() > kLongestName || peer == own_site) return false;
  if (line.rtt_ns() == 0 || line.rtt_ns() > kLongestRttNs) return false;
  if (line.has_loss_lower() != line.has_loss_upper()) return false;
  if (line.has_loss_lower() && !AreBounds(line.loss_lower(), line.loss_upper())) return false;
  return !line.has_capacity_bits_per_second() || line.capacity_bits_per_second() > 0;
}

}  // namespace

void ReadPlannedLines(const v1::ProbePlan& from, MonotonicTime now, Plan& plan) {
  std::set<std::string> seen;
  for (const v1::SiteLine& line : from.lines()) {
    if (plan.lines.size() == kMostLines || !IsPossible(line, plan.site) ||
        !seen.insert(line.peer_site()).second) {
      ++plan.lines_refused;
      continue;
    }
    PlannedLine& out = plan.lines.emplace_back();
    out.peer_site = line.peer_site();
    out.rtt = Nanoseconds(static_cast<std::int64_t>(line.rtt_ns()));
    out.at = now - Nanoseconds(static_cast<std::int64_t>(std::min(line.age_ns(), kOldestNs)));
    if (line.has_loss_lower()) {
      out.loss = LossInterval{.lower = line.loss_lower(), .upper = line.loss_upper()};
    }
    if (line.has_capacity_bits_per_second()) {
      out.capacity_bits_per_second = line.capacity_bits_per_second();
    }
  }
}

}  // namespace fairlead::linkprobe
