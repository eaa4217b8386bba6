// `detector`: when a line counts as degraded.
#include <string>

#include "common/config/section_reader.h"
#include "common/config/sections.h"
#include "common/units/duration.h"

namespace fairlead {
namespace {

constexpr Nanoseconds kNone = Nanoseconds(0);
constexpr Nanoseconds kShortest = Milliseconds(10);
constexpr Nanoseconds kLongest = Seconds(24 * 3600);
constexpr Nanoseconds kAdoptLatest = 365 * kLongest;
constexpr std::uint32_t kMostWindows = 10'000;

void CompareWithin(SectionReader& reader, const DetectorSettings& d) {
  if (d.windows_bad > d.windows_considered) {
    reader.Complain("windowsBad",
                    std::to_string(d.windows_bad) + " is more than windowsConsidered " +
                        std::to_string(d.windows_considered) + "; m of n needs m <= n");
  }
  if (d.loss_critical < d.loss_degraded) {
    reader.Complain("lossCritical", "is below lossDegraded; critical is the larger loss");
  }
  if (d.window * d.baseline_windows > d.baseline_span) {
    reader.Complain("baselineSpan", FormatDuration(d.baseline_span) + " is too short to hold " +
                                        std::to_string(d.baseline_windows) + " windows of " +
                                        FormatDuration(d.window) +
                                        "; raise it or lower baselineWindows");
  }
  if (d.flap_penalty_max < d.dwell) {
    reader.Complain("flapPenaltyMax", FormatDuration(d.flap_penalty_max) +
                                          " is shorter than dwell " + FormatDuration(d.dwell) +
                                          "; a penalty never shortens the dwell");
  }
}

}  // namespace

void ReadDetector(const DocumentNode& node, Config& config, Problems& problems) {
  SectionReader reader(node, "detector", problems);
  DetectorSettings& d = config.detector;
  reader.Duration("window", d.window, kShortest, kLongest);
  reader.Count("windowsBad", d.windows_bad, 1, kMostWindows);
  reader.Count("windowsConsidered", d.windows_considered, 1, kMostWindows);
  reader.Ratio("bandRatio", d.band_ratio);
  reader.Duration("bandFloor", d.band_floor, kNone, kLongest);
  reader.Number("pdvFactor", d.pdv_factor, 1, 1000);
  reader.Duration("pdvFloor", d.pdv_floor, kNone, kLongest);
  reader.Duration("pdvWindow", d.pdv_window, kShortest, kLongest);
  reader.Ratio("lossDegraded", d.loss_degraded);
  reader.Duration("lossWindow", d.loss_window, kShortest, kLongest);
  reader.Ratio("lossCritical", d.loss_critical);
  reader.Duration("lossCriticalWindow", d.loss_critical_window, kShortest, kLongest);
  reader.Duration("downAfter", d.down_after, kShortest, kLongest);
  reader.Duration("baselineSpan", d.baseline_span, kShortest, kLongest);
  reader.Count("baselineWindows", d.baseline_windows, 1, kMostWindows);
  reader.Duration("recovery", d.recovery, kNone, kLongest);
  reader.Duration("dwell", d.dwell, kNone, kLongest);
  reader.Duration("flapPenaltyMax", d.flap_penalty_max, kNone, kLongest);
  reader.Duration("hostNoise", d.host_noise, kShortest, kLongest);
  reader.Duration("baselineAdopt", d.baseline_adopt, kNone, kAdoptLatest);
  reader.Finish();
  CompareWithin(reader, d);
}

}  // namespace fairlead
