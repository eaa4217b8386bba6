#include "extender/migration/mass_breaker.h"

#include <algorithm>
#include <map>
#include <utility>

#include "common/units/human.h"

namespace fairlead::extender {
namespace {

struct Tally {
  std::size_t all = 0;
  std::size_t bad = 0;
  std::size_t stale = 0;

  void Add(LineJudgement judgement) {
    ++all;
    if (judgement == LineJudgement::kBad || judgement == LineJudgement::kThin) ++bad;
    if (judgement == LineJudgement::kStale) ++stale;
  }
};

bool Reaches(std::size_t part, std::size_t whole, double share) {
  return static_cast<double>(part) >= share * static_cast<double>(whole);
}

}  // namespace

std::string MassEvent(std::span<const JudgedLine> lines, std::size_t gangs_on_lines,
                      std::size_t qualifying, const BreakerConfig& config) {
  Tally all;
  std::map<std::string, Tally, std::less<>> of_site;
  for (const JudgedLine& judged : lines) {
    if (judged.line.first == judged.line.second) continue;
    all.Add(judged.judgement);
    of_site[judged.line.first].Add(judged.judgement);
    of_site[judged.line.second].Add(judged.judgement);
  }
  for (const auto& [site, tally] : of_site) {
    if (tally.all >= 2 && tally.bad >= 1 && tally.bad + tally.stale == tally.all) {
      return "none of the " + std::to_string(tally.all) + " lines of " + site + " is well";
    }
  }
  const std::size_t known = all.all - all.stale;
  if (all.bad >= 2 && Reaches(all.bad, known, config.lines)) {
    return std::to_string(all.bad) + " of " + Counted(known, "line", "lines") + " are bad at once";
  }
  if (qualifying >= config.least_gangs && Reaches(qualifying, gangs_on_lines, config.gangs)) {
    return std::to_string(qualifying) + " of " + Counted(gangs_on_lines, "gang", "gangs") +
           " would move at once";
  }
  return "";
}

MassBreaker::Change MassBreaker::Observe(std::string event, MonotonicTime now, Nanoseconds hold) {
  if (!event.empty()) {
    const bool opened = !open();
    last_ = now;
    why_ = std::move(event);
    return opened ? Change::kOpened : Change::kNone;
  }
  if (!open() || now - *last_ < hold) return Change::kNone;
  last_.reset();
  why_.clear();
  return Change::kClosed;
}

Nanoseconds MassBreaker::Remaining(MonotonicTime now, Nanoseconds hold) const {
  if (!open()) return Nanoseconds(0);
  return std::max(hold - Nanoseconds(now - *last_), Nanoseconds(0));
}

}  // namespace fairlead::extender
