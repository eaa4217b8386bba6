#include "extender/cost/line_estimate.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "extender/link/lower_median.h"

namespace fairlead::extender {
namespace {

// NCCL keeps about this much in flight between two nodes: 8 channels of 4 MiB buffers.
constexpr double kBytesInFlight = 8.0 * 4 * 1024 * 1024;
constexpr double kPacketBytes = 4096;  // the largest RoCE path MTU
// 4.096 us x 2^18, the ACK timeout NCCL has long asked of the NIC (NCCL_IB_TIMEOUT=18).
constexpr double kAckTimeoutSeconds = 4.096e-6 * 262144;
constexpr double kDownSeconds = 10;

// Priors of lines that nothing is declared of.
constexpr double kPriorWanBytesPerSecond = 1.25e9;   // 10 Gb/s
constexpr double kPriorSiteBytesPerSecond = 12.5e9;  // 100 Gb/s, one HCA
constexpr double kPriorSiteRttSeconds = 20e-6;       // two switch hops and RDMA end points
constexpr double kNominalRttSeconds = 0.2;           // where there is no prior
constexpr double kPriorUncertainty = 0.3;            // fibre detours run from 1.1 to 1.8

// ln 50: from p50 to p99 of an exponential tail.
constexpr double kTailNepers = 3.912023005428146;
constexpr double kConfidenceHalfLifeSeconds = 60;
constexpr double kConfidenceSamples = 10;
// What a router or exporter says counts like this many probes: 3/4 when fresh.
constexpr double kExternalSamples = 30;

double InSeconds(Nanoseconds value) { return std::chrono::duration<double>(value).count(); }

struct Prior {
  LineBasis basis = LineBasis::kNothing;
  double rtt_seconds = kNominalRttSeconds;
  double bytes_per_second = kPriorWanBytesPerSecond;
};

Prior PriorOf(const LineCatalogue& catalogue, std::string_view a, std::string_view b, double rate,
              std::uint32_t gangs_crossing, std::optional<double> fallback_rtt_seconds) {
  if (a == b) return {LineBasis::kPrior, kPriorSiteRttSeconds, kPriorSiteBytesPerSecond};
  Prior prior;
  if (const auto floor = catalogue.FloorRtt(a, b)) {
    prior.basis = LineBasis::kPrior;
    prior.rtt_seconds = InSeconds(*floor) * kFibreDetour;
  } else if (fallback_rtt_seconds) {
    prior.basis = LineBasis::kPrior;
    prior.rtt_seconds = *fallback_rtt_seconds;
  }
  prior.bytes_per_second = rate / (1.0 + gangs_crossing);
  return prior;
}

// Both directed views of the line as far as they have values.
std::vector<const LinkView*> Measured(const LinkSnapshot& links, std::string_view a,
                                      std::string_view b) {
  std::vector<const LinkView*> views;
  const LinkView* there = links.Find(a, b);
  const LinkView* back = a == b ? nullptr : links.Find(b, a);
  for (const LinkView* view : {there, back}) {
    if (view != nullptr && view->rtt_p50 && view->age) views.push_back(view);
  }
  return views;
}

// What the line carries, the worse direction: by tests, or as declared; no less than the prior of
// others where only a lower bound is known.
double RateOf(const LinkSnapshot& links, const LineCatalogue& catalogue, std::string_view a,
              std::string_view b) {
  std::optional<double> rate;
  for (const LinkView* view : {links.Find(a, b), links.Find(b, a)}) {
    if (view == nullptr || !view->rate) continue;
    const double one = view->rate->at_least
                           ? std::max(view->rate->bytes_per_second, kPriorWanBytesPerSecond)
                           : view->rate->bytes_per_second;
    rate = std::min(rate.value_or(one), one);
  }
  if (rate) return *rate;
  return catalogue.CapacityBytesPerSecond(a, b).value_or(kPriorWanBytesPerSecond);
}

// What the view's direction has left. Of a lower bound at least a fair share, as beside one more
// gang than is known of.
double Available(const LinkView& view, double rate, std::uint32_t gangs_crossing) {
  const double available = *view.available_bytes_per_second;
  return view.available_at_least ? std::max(available, rate / (2.0 + gangs_crossing)) : available;
}

double Confidence(const LinkView& view) {
  const double n =
      view.rung == TransportRung::kPromql ? kExternalSamples : static_cast<double>(view.samples);
  return std::exp2(-InSeconds(*view.age) / kConfidenceHalfLifeSeconds) * n /
         (n + kConfidenceSamples);
}

double CountedLoss(const LossInterval& loss) { return loss.lower > kLossCounts ? loss.ratio : 0; }

// What ports at both ends prove, where it can only be of this line.
double CountedByPorts(const LinkView& view) {
  return view.port_loss && view.port_loss->counts ? view.port_loss->interval.lower : 0;
}

double LossFactor(double loss, double bytes_per_second, double rtt_seconds) {
  const double packets = std::max(1.0, bytes_per_second * rtt_seconds / kPacketBytes);
  // All lost would be no bandwidth at all; the Down state tells that, not a division by zero.
  const double p = std::min(loss, 0.99);
  return (1 - p) / (1 - p + p * packets);
}

double Blend(double c, double measured, double prior) { return c * measured + (1 - c) * prior; }

}  // namespace

std::optional<double> FallbackRtt(const LinkSnapshot& links, const LineCatalogue& catalogue,
                                  const std::vector<std::string>& sites) {
  std::vector<double> rtts;
  for (const LinkView& view : links.links) {
    if (view.key.from_site != view.key.to_site && view.rtt_p50) {
      rtts.push_back(InSeconds(*view.rtt_p50));
    }
  }
  if (rtts.empty()) {
    for (std::size_t i = 0; i < sites.size(); ++i) {
      for (std::size_t j = i + 1; j < sites.size(); ++j) {
        const auto floor = catalogue.FloorRtt(sites[i], sites[j]);
        if (floor) rtts.push_back(InSeconds(*floor) * kFibreDetour);
      }
    }
  }
  if (rtts.empty()) return std::nullopt;
  return LowerMedian(std::move(rtts));
}

LinkState StateOfLine(const LinkSnapshot& links, std::string_view a, std::string_view b) {
  const LinkView* there = links.Find(a, b);
  const LinkView* back = links.Find(b, a);
  const LinkState one = there == nullptr ? LinkState::kUnknown : there->state;
  const LinkState other = back == nullptr ? LinkState::kUnknown : back->state;
  const auto [least, worst] = std::minmax(one, other);
  const bool contradicted = least != LinkState::kUnknown && least != LinkState::kDown;
  return worst == LinkState::kDown && contradicted ? LinkState::kDegraded : worst;
}

LineEstimate EstimateLine(const LinkSnapshot& links, const LineCatalogue& catalogue,
                          std::string_view a, std::string_view b, std::uint32_t gangs_crossing,
                          std::optional<double> fallback_rtt_seconds) {
  const double rate = RateOf(links, catalogue, a, b);
  const Prior prior = PriorOf(catalogue, a, b, rate, gangs_crossing, fallback_rtt_seconds);
  LineEstimate line;
  line.basis = prior.basis;
  line.state = StateOfLine(links, a, b);
  line.rtt_p50_seconds = line.rtt_p99_seconds = prior.rtt_seconds;
  line.bytes_per_second = prior.bytes_per_second;
  line.uncertainty_ratio = kPriorUncertainty;

  const std::vector<const LinkView*> views = Measured(links, a, b);
  if (!views.empty()) {
    double p50 = 0;
    double p99 = 0;
    std::optional<double> available;
    for (const LinkView* view : views) {
      p50 = std::max(p50, InSeconds(*view->rtt_p50));
      p99 = std::max(p99, InSeconds(view->rtt_p99.value_or(*view->rtt_p50)));
      line.confidence = std::max(line.confidence, Confidence(*view));
      line.loss_ratio = std::max({line.loss_ratio, CountedLoss(view->forward.loss),
                                  CountedLoss(view->reverse.loss), CountedByPorts(*view)});
      if (view->available_bytes_per_second) {
        const double left = Available(*view, rate, gangs_crossing);
        available = std::min(available.value_or(left), left);
      }
    }
    // Where there is no prior, what was measured is all there is.
    const double c = prior.basis == LineBasis::kNothing ? 1 : line.confidence;
    line.basis = LineBasis::kMeasured;
    line.rtt_p50_seconds = Blend(c, p50, prior.rtt_seconds);
    line.rtt_p99_seconds = Blend(c, std::max(p50, p99), prior.rtt_seconds);
    line.loss_ratio *= c;
    line.uncertainty_ratio = (1 - line.confidence) * kPriorUncertainty;
    // Times are what adds up in the model, so the blend is of seconds a byte.
    if (available && *available > 0) {
      line.bytes_per_second = 1 / Blend(c, 1 / *available, 1 / prior.bytes_per_second);
    }
  }
  line.bytes_per_second =
      std::min(line.bytes_per_second, kBytesInFlight / std::max(line.rtt_p50_seconds, 1e-9));
  line.bytes_per_second *= LossFactor(line.loss_ratio, line.bytes_per_second, line.rtt_p50_seconds);
  return line;
}

double OneWayLatency(const LineEstimate& line, std::uint32_t parallel_edges) {
  if (line.state == LinkState::kDown) return kDownSeconds;
  const double z = line.state == LinkState::kDegraded
                       ? 1.0
                       : std::clamp(std::log((parallel_edges + 1) / 2.0) / kTailNepers, 0.0, 1.0);
  const double rtt = line.rtt_p50_seconds + z * (line.rtt_p99_seconds - line.rtt_p50_seconds);
  return rtt / 2 + line.loss_ratio * kAckTimeoutSeconds;
}

}  // namespace fairlead::extender
