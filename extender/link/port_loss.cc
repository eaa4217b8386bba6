#include "extender/link/port_loss.h"

#include <algorithm>
#include <utility>

#include "common/link/loss_interval.h"

namespace fairlead::extender {
namespace {

constexpr Nanoseconds kCrossedFor = Seconds(120);

}  // namespace

void LossOfEnd::Add(const PortLoss& loss) {
  if (!loss.transport || loss.interval.sent == 0) return;
  lost_ += loss.interval.lost;
  sent_ += loss.interval.sent;
  upper_ += loss.interval.upper * static_cast<double>(loss.interval.sent);
  age_ = std::max(age_, loss.age);
  ++ports_;
}

LossInterval LossOfEnd::interval() const {
  LossInterval sum = MakeLossInterval(lost_, sent_);
  if (known()) sum.upper = std::clamp(upper_ / static_cast<double>(sent_), sum.upper, 1.0);
  return sum;
}

std::optional<LineLoss> LossOfLine(const LossOfEnd& from, const LossOfEnd& to) {
  if (!from.known() || !to.known()) return std::nullopt;
  const LossInterval sent = from.interval();
  const LossInterval received = to.interval();
  return LineLoss{.interval = received.lower < sent.lower ? received : sent,
                  .ports = from.ports() + to.ports(),
                  .age = std::max(from.age(), to.age())};
}

void CrossedLines::Set(const std::optional<Lines>& crossed, MonotonicTime now) {
  known_ = crossed.has_value();
  std::erase_if(last_, [&](const auto& entry) { return now - entry.second >= kCrossedFor; });
  if (!crossed) return;
  for (const auto& line : *crossed) last_[line] = now;
}

void CrossedLines::SetTested(const Lines& tested, const Lines& saturated, MonotonicTime now) {
  const auto forgotten = [&](const auto& entry) { return now - entry.second >= kCrossedFor; };
  std::erase_if(last_tested_, forgotten);
  std::erase_if(last_saturated_, forgotten);
  for (const Line& line : tested) last_tested_[line] = now;
  for (const auto& [one, other] : saturated) last_saturated_[one] = last_saturated_[other] = now;
}

CrossedLines::Line CrossedLines::LineOf(std::string_view one, std::string_view other) {
  const auto [first, second] = std::minmax(one, other);
  return {std::string(first), std::string(second)};
}

bool CrossedLines::OnlyLine(std::string_view site, std::string_view other,
                            const std::set<std::string_view>& sites) const {
  if (last_saturated_.contains(site) || last_tested_.contains(LineOf(site, other))) return false;
  bool crosses = false;
  for (const std::string_view each : sites) {
    if (each == site) continue;
    if (known_ && !last_.contains(LineOf(site, each))) continue;
    if (each != other) return false;
    crosses = true;
  }
  return crosses;
}

}  // namespace fairlead::extender
