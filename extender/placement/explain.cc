#include "extender/placement/explain.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <optional>

#include "common/units/duration.h"
#include "common/units/human.h"

namespace fairlead::extender {
namespace {

template <class... Args>
std::string Format(const char* format, Args... args) {
  char text[64];
  std::snprintf(text, sizeof(text), format, args...);
  return text;
}

// The worse direction of each value, as reported and not as blended.
struct Worst {
  std::optional<Nanoseconds> p50;
  std::optional<Nanoseconds> p99;
  std::optional<double> loss;
  std::optional<LineRate> rate;  // by a test
  LinkReason reason = LinkReason::kNone;
};

Worst WorstOf(const LinkSnapshot& links, const std::string& a, const std::string& b,
              LinkState state) {
  Worst worst;
  for (const LinkView* view : {links.Find(a, b), links.Find(b, a)}) {
    if (view == nullptr) continue;
    worst.p50 = std::max(worst.p50, view->rtt_p50);
    worst.p99 = std::max(worst.p99, view->rtt_p99);
    for (const LossInterval* loss : {&view->forward.loss, &view->reverse.loss}) {
      if (loss->known()) worst.loss = std::max(worst.loss, std::optional(loss->ratio));
    }
    if (view->rate && view->rate->source != RateSource::kDeclared &&
        (!worst.rate || view->rate->bytes_per_second < worst.rate->bytes_per_second)) {
      worst.rate = view->rate;
    }
    if (view->state == state && worst.reason == LinkReason::kNone) worst.reason = view->reason;
  }
  return worst;
}

}  // namespace

std::string StepTime(double seconds) {
  return HumanDuration(Nanoseconds(static_cast<std::int64_t>(std::llround(seconds * 1e9))));
}

std::string DescribePlacement(const SiteCounts& placement) {
  std::string text;
  std::size_t written = 0;
  for (const auto& [site, count] : placement) {
    if (written > 0) text += written + 1 == placement.size() ? " and " : ", ";
    text += std::to_string(count) + " in " + site;
    ++written;
  }
  return text;
}

std::string DescribeLine(const LineMatrix& lines, const LinkSnapshot& links, LineIndex index) {
  const LineEstimate& line = lines.At(index.a, index.b);
  if (line.state == LinkState::kDown) return "Down, no probe is answered";
  switch (line.basis) {
    case LineBasis::kNothing:
      return "not measured, nothing known";
    case LineBasis::kPrior:
      return "not measured, " + StepTime(line.rtt_p50_seconds) + " assumed";
    case LineBasis::kMeasured:
      break;
  }
  const Worst worst = WorstOf(links, lines.site(index.a), lines.site(index.b), line.state);
  std::string text;
  if (worst.p50) text += "p50 " + HumanDuration(*worst.p50);
  if (worst.p99) text += ", p99 " + HumanDuration(*worst.p99);
  if (worst.loss) text += ", loss " + HumanPercent(*worst.loss);
  if (worst.rate) {
    text += std::string(worst.rate->at_least ? ", at least " : ", ") +
            HumanRate(worst.rate->bytes_per_second * 8) + " by " +
            std::string(RateSourceName(worst.rate->source)) + " " + HumanAge(worst.rate->age) +
            " ago";
  }
  if (line.state == LinkState::kDegraded || line.state == LinkState::kSuspect) {
    text += ", " + std::string(LinkStateName(line.state));
    if (worst.reason != LinkReason::kNone) {
      text += " by " + std::string(LinkReasonName(worst.reason));
    }
  }
  return text;
}

std::string Explain(const SiteScore& score, const LineMatrix& lines, const LinkSnapshot& links) {
  const CostBreakdown& cost = score.cost;
  std::string text =
      StepTime(cost.seconds) + " a step, " + Format("%.1f", score.score) + " of 10: ";
  text += DescribePlacement(score.placement);
  if (!cost.dominant) return text + ", no line between sites";
  const LineIndex worst = *cost.dominant;
  text += cost.lines.size() == 1
              ? " over line "
              : " over " + std::to_string(cost.lines.size()) + " lines, the costliest ";
  text += LineName(lines.site(worst.a), lines.site(worst.b)) + " (" +
          DescribeLine(lines, links, worst) + ")";
  const double latency = cost.seconds > 0 ? cost.latency_seconds / cost.seconds : 1;
  if (latency >= 0.5) {
    text += Format(", %.0f %% of it latency", latency * 100);
  } else {
    text += Format(", %.0f %% of it bandwidth", (1 - latency) * 100);
  }
  return text;
}

}  // namespace fairlead::extender
