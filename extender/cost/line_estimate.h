// Latency and bandwidth of a line as a collective feels them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "extender/link/line_catalogue.h"
#include "extender/link/link_view.h"

namespace fairlead::extender {

// What the estimate rests on.
enum class LineBasis {
  kMeasured,  // fresh reports, blended with the prior by their confidence
  kPrior,     // fibre floor, or the median of the other lines measured, or a site's inside
  kNothing,   // not even a prior: RTT is a nominal 200 ms that keeps it from winning
};

// One line between two sites, or the inside of one, both directions together: the worse of each.
struct LineEstimate {
  LineBasis basis = LineBasis::kNothing;
  LinkState state = LinkState::kUnknown;  // the worse of both directions
  double rtt_p50_seconds = 0;
  double rtt_p99_seconds = 0;    // at least p50
  double loss_ratio = 0;         // 0 unless a lower bound proves it, see below
  double bytes_per_second = 0;   // after window, sharing and loss
  double confidence = 0;         // 0 prior only .. 1 many fresh samples
  double uncertainty_ratio = 0;  // relative, of the latency
};

// Loss below this cannot be told from none by probes (0 of 1,000 only bounds it by 0.4 %), and an
// upper bound would condemn every clean line.
inline constexpr double kLossCounts = 1e-3;

// Unmeasured fibre is longer than the great circle; 1.4 is the usual detour of a leased line.
inline constexpr double kFibreDetour = 1.4;

// The prior of a line without coordinates, in seconds of RTT: the median p50 of the inter-site
// links measured, else the median fibre floor x 1.4 of the lines between `sites`, else absent.
std::optional<double> FallbackRtt(const LinkSnapshot& links, const LineCatalogue& catalogue,
                                  const std::vector<std::string>& sites);

// The worse state of both directions. A direction that is Down while the other is answered counts
// as Degraded: probes are round trips, so the line itself carries.
LinkState StateOfLine(const LinkSnapshot& links, std::string_view a, std::string_view b);

// The line between a and b (a == b: the inside of a site) from both directed views and the
// catalogue. `gangs_crossing` is how many other gangs use it: a rate is shared with them, what is
// available is not divided again. `fallback_rtt_seconds` is the prior of a line
// without coordinates.
//   bandwidth   min(available or rate / (1 + gangs), bytes in flight / RTT) x loss factor
//   rate        by tests, or as declared; the worse direction
//   available   measured, or rate - used, the latter no less than rate / (2 + gangs)
//   loss factor Go-Back-N: (1 - p) / (1 - p + p W), W = bandwidth x RTT / 4096 packets in flight
//   loss        the greater of: the ratio of probes, if its lower bound exceeds kLossCounts; the
//               lower bound of the ports' transport counters, if it is of this line (LineLoss)
//   blend       c x measured + (1 - c) x prior, c = 2^(-age / 60 s) x n / (n + 10)
LineEstimate EstimateLine(const LinkSnapshot& links, const LineCatalogue& catalogue,
                          std::string_view a, std::string_view b, std::uint32_t gangs_crossing,
                          std::optional<double> fallback_rtt_seconds);

// One-way latency in seconds where `parallel_edges` links move in lock-step, so that a round ends
// with the slowest of them: the n/(n+1) quantile of RTT, halved. Between p50 and p99 the tail is
// taken as exponential: z = ln((n + 1) / 2) / ln 50, clamped to 0..1. A Degraded line is taken at
// its p99. Loss adds its expected retransmission timeouts. A Down line is 10 s.
double OneWayLatency(const LineEstimate& line, std::uint32_t parallel_edges);

}  // namespace fairlead::extender
