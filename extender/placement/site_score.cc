#include "extender/placement/site_score.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "extender/placement/completion.h"
#include "extender/placement/explain.h"
#include "extender/placement/score_scale.h"

namespace fairlead::extender {
namespace {

std::vector<SiteScore> Neutral(const std::set<std::string>& candidates, std::string_view why) {
  std::vector<SiteScore> scores;
  for (const std::string& site : candidates) {
    SiteScore score;
    score.site = site;
    score.explanation = "5 of 10: " + std::string(why);
    scores.push_back(std::move(score));
  }
  return scores;
}

// Every site that has members, may get some, or is asked about.
std::vector<std::string> SitesInvolved(const PlacementRequest& request,
                                       const std::set<std::string>& candidates) {
  std::set<std::string> sites = candidates;
  for (const auto& [site, count] : request.members) {
    if (count > 0) sites.insert(site);
  }
  for (const auto& [site, count] : request.free_members) {
    if (count > 0) sites.insert(site);
  }
  sites.erase("");
  return {sites.begin(), sites.end()};
}

CompletionRequest ToCompletion(const PlacementRequest& request, const LineMatrix& lines,
                               const std::set<std::string>& candidates) {
  CompletionRequest completion;
  completion.profile = request.profile;
  completion.remaining = std::max(request.remaining, 1U);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string& site = lines.site(i);
    const auto members = request.members.find(site);
    completion.members.push_back(members == request.members.end() ? 0 : members->second);
    const auto free = request.free_members.find(site);
    const bool candidate = candidates.contains(site);
    if (free == request.free_members.end()) {
      // Not known: the whole rest may fit where nodes are offered.
      completion.free_members.push_back(candidate ? completion.remaining : 0);
    } else {
      completion.free_members.push_back(candidate ? std::max(free->second, 1U) : free->second);
    }
  }
  return completion;
}

// Times that rest on nothing are not compared with times that rest on something.
bool Known(const std::optional<Completion>& completion) {
  return completion && completion->cost.weakest_basis != LineBasis::kNothing;
}

SiteScore ScoreOf(const std::string& site, const Completion& completion, double points,
                  const LineMatrix& lines, const LinkSnapshot& links) {
  SiteScore score;
  score.site = site;
  score.cost = completion.cost;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (completion.members[i] > 0) score.placement[lines.site(i)] = completion.members[i];
  }
  if (!Known(completion)) {
    score.explanation = "5 of 10: nothing is known of a line that its gang would cross";
    return score;
  }
  score.score = points;
  score.rounded = static_cast<int>(std::lround(points));
  score.seconds = completion.cost.seconds;
  score.explanation = Explain(score, lines, links);
  return score;
}

}  // namespace

std::vector<SiteScore> ScoreSites(const PlacementRequest& request, const LinkSnapshot& links,
                                  const LineCatalogue& catalogue) {
  const std::set<std::string> candidates(request.candidate_sites.begin(),
                                         request.candidate_sites.end());
  if (!request.has_gang) return Neutral(candidates, "the pod belongs to no gang");
  const LineMatrix lines(SitesInvolved(request, candidates), links, catalogue, request.occupancy);
  const CompletionRequest question = ToCompletion(request, lines, candidates);
  const auto completions = BestCompletions(question, lines);

  TimedChoice best{std::numeric_limits<double>::infinity(), 0};
  std::uint32_t members = 0;
  for (const auto& completion : completions) {
    if (!completion) continue;
    members = std::max(members, completion->cost.members);
    if (Known(completion) && completion->cost.seconds < best.seconds) {
      best = {completion->cost.seconds, completion->cost.uncertainty_ratio};
    }
  }
  if (members < 2) return Neutral(candidates, "no other member of its gang is placed or known");

  std::vector<TimedChoice> choices;
  for (const auto& completion : completions) {
    if (Known(completion)) {
      choices.push_back({completion->cost.seconds, completion->cost.uncertainty_ratio});
    }
  }
  const std::vector<double> points = PointsOf(choices, best);

  std::vector<SiteScore> scores;
  if (candidates.contains("")) scores = Neutral({""}, "the site is not known");
  std::size_t next = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!completions[i]) continue;
    const double own = Known(completions[i]) ? points[next++] : kNeutralScore;
    if (!candidates.contains(lines.site(i))) continue;
    scores.push_back(ScoreOf(lines.site(i), *completions[i], own, lines, links));
  }
  return scores;
}

const SiteScore* FindSiteScore(const std::vector<SiteScore>& scores, std::string_view site) {
  const auto found = std::ranges::lower_bound(scores, site, {}, &SiteScore::site);
  return found != scores.end() && found->site == site ? &*found : nullptr;
}

}  // namespace fairlead::extender
