#include "extender/placement/site_filter.h"

#include <algorithm>
#include <optional>
#include <set>

#include "common/base/names.h"
#include "common/units/duration.h"
#include "common/units/human.h"
#include "extender/placement/explain.h"

namespace fairlead::extender {
namespace {

// What both directions say of a line, the worse of each; absent: not known.
struct LineFacts {
  std::optional<Nanoseconds> rtt_p50;
  std::optional<Nanoseconds> jitter;
  std::optional<double> bytes_per_second;  // measured, else declared
};

LineFacts FactsOf(const LinkSnapshot& links, const std::string& a, const std::string& b) {
  LineFacts facts;
  std::optional<double> measured;
  for (const LinkView* view : {links.Find(a, b), links.Find(b, a)}) {
    if (view == nullptr) continue;
    facts.rtt_p50 = std::max(facts.rtt_p50, view->rtt_p50);
    facts.jitter = std::max({facts.jitter, view->forward.jitter, view->reverse.jitter});
    // A lower bound refuses nothing: it may be far below what the line has.
    if (const auto& available = view->available_bytes_per_second;
        available && !view->available_at_least) {
      measured = std::min(measured.value_or(*available), *available);
    }
    facts.bytes_per_second = view->capacity_bytes_per_second;
    if (view->rate && view->rate->source != RateSource::kDeclared && !view->rate->at_least) {
      measured =
          std::min(measured.value_or(view->rate->bytes_per_second), view->rate->bytes_per_second);
    }
  }
  if (measured) facts.bytes_per_second = measured;
  return facts;
}

std::string Rate(double bytes_per_second) { return HumanRate(bytes_per_second * 8); }

// What a line breaks of the pod's limits; empty when nothing.
std::string BrokenLimit(const LineLimits& limits, const LineFacts& facts) {
  if (limits.max_rtt && facts.rtt_p50 && *facts.rtt_p50 > *limits.max_rtt) {
    return "RTT p50 " + HumanDuration(*facts.rtt_p50) + " exceeds " + AnnotationName("max-rtt") +
           " " + HumanDuration(*limits.max_rtt);
  }
  if (limits.max_jitter && facts.jitter && *facts.jitter > *limits.max_jitter) {
    return "jitter " + HumanDuration(*facts.jitter) + " exceeds " + AnnotationName("max-jitter") +
           " " + HumanDuration(*limits.max_jitter);
  }
  if (limits.min_bytes_per_second && facts.bytes_per_second &&
      *facts.bytes_per_second < *limits.min_bytes_per_second) {
    return "bandwidth " + Rate(*facts.bytes_per_second) + " is below " +
           AnnotationName("min-bandwidth") + " " + Rate(*limits.min_bytes_per_second);
  }
  return {};
}

std::optional<SiteRefusal> Refusal(const PlacementRequest& request, const LinkSnapshot& links,
                                   const std::string& site) {
  for (const auto& [peer, count] : request.members) {
    if (count == 0 || peer.empty()) continue;
    const std::string where = "line " + LineName(site, peer) + " to " +
                              Counted(count, "member", "members") + " of the gang: ";
    // A site reaches its own members over its own switches, whatever a probe inside it says.
    if (peer != site && StateOfLine(links, site, peer) == LinkState::kDown) {
      return SiteRefusal{site, RefusalCause::kLineDown, where + "Down, no probe is answered"};
    }
    const std::string broken = BrokenLimit(request.limits, FactsOf(links, site, peer));
    if (!broken.empty()) return SiteRefusal{site, RefusalCause::kPodLimit, where + broken};
  }
  return std::nullopt;
}

}  // namespace

std::vector<SiteRefusal> FilterSites(const PlacementRequest& request, const LinkSnapshot& links) {
  std::vector<SiteRefusal> refusals;
  if (!request.has_gang) return refusals;
  const std::set<std::string> candidates(request.candidate_sites.begin(),
                                         request.candidate_sites.end());
  for (const std::string& site : candidates) {
    if (site.empty()) continue;
    if (auto refusal = Refusal(request, links, site)) refusals.push_back(std::move(*refusal));
  }
  return refusals;
}

}  // namespace fairlead::extender
