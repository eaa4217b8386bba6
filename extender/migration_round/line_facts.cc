#include "extender/migration_round/line_facts.h"

#include <algorithm>
#include <utility>

#include "extender/cost/line_estimate.h"

namespace fairlead::extender {
namespace {

template <class T, class Worse>
void Worst(std::optional<T>& kept, const std::optional<T>& other, Worse worse) {
  if (other) kept = kept ? worse(*kept, *other) : *other;
}

void AddValues(const LinkView& view, LineValues& values) {
  const auto most = [](const auto& a, const auto& b) { return std::max(a, b); };
  Worst(values.rtt_p50, view.rtt_p50, most);
  for (const DirectionMeasurement* way : {&view.forward, &view.reverse}) {
    Worst(values.jitter, way->jitter, most);
    if (way->loss.known()) Worst(values.loss_lower, std::optional(way->loss.lower), most);
  }
  // What may be more breaks no limit.
  if (!view.available_bytes_per_second || view.available_at_least) return;
  Worst(values.bits_per_second, std::optional(*view.available_bytes_per_second * 8),
        [](double a, double b) { return std::min(a, b); });
}

LineCondition ConditionOf(const LinkSnapshot& links, const LinkView& view) {
  LineCondition condition{.line = PairOf(view.key.from_site, view.key.to_site),
                          .state = view.state,
                          .reason = view.reason,
                          .state_age = view.state_age.value_or(Nanoseconds(0)),
                          .samples = view.samples,
                          .age = view.age,
                          .quorum = view.quorum,
                          .agreeing = view.agreeing};
  if (view.state == LinkState::kDown) {
    condition.state = StateOfLine(links, view.key.from_site, view.key.to_site);
  }
  return condition;
}

}  // namespace

SitePair PairOf(const std::string& a, const std::string& b) {
  return a < b ? SitePair(a, b) : SitePair(b, a);
}

LinesFacts LinesOf(const LinkSnapshot& links, const MigrationConfig& config) {
  LinesFacts lines;
  for (const LinkView& view : links.links) {
    const bool inside = view.key.from_site == view.key.to_site;
    if (inside && view.state == LinkState::kUnknown) continue;
    LineCondition condition = ConditionOf(links, view);
    const LineJudgement judgement = JudgeLine(condition, config);
    const auto [found, first] = lines.try_emplace(condition.line);
    LineFacts& line = found->second;
    if (first || judgement > line.judgement) {
      line.condition = std::move(condition);
      line.judgement = judgement;
    }
    if (view.age && *view.age <= config.evidence_stale) AddValues(view, line.values);
  }
  return lines;
}

}  // namespace fairlead::extender
