#include "extender/gang_plan/plan_gang.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "extender/gang_plan/plan_words.h"
#include "extender/gang_plan/rank_blocks.h"

namespace fairlead::extender {
namespace {

using Counts = std::vector<std::uint32_t>;

constexpr std::size_t kMostAlternatives = 3;

std::uint64_t Sum(const Counts& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

std::uint32_t Capped(std::uint64_t value) {
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(value, std::numeric_limits<std::uint32_t>::max()));
}

SplitQuestion ToQuestion(const PlanRequest& request) {
  SplitQuestion question{.profile = request.profile,
                         .lines = request.lines,
                         .placed = request.placed,
                         .room = request.room,
                         .members = 0};
  question.placed.resize(request.lines.size());
  question.room.resize(request.lines.size());
  for (std::size_t i = 0; i < std::min(request.excluded.size(), question.room.size()); ++i) {
    if (request.excluded[i]) question.room[i] = 0;
  }
  return question;
}

std::uint32_t SizeOf(const PlanRequest& request, std::uint64_t placed) {
  const std::uint32_t told = request.size.value_or(0);
  return told > 0 && told >= placed ? told : Capped(placed + 1);
}

bool IsRing(CommPattern pattern) {
  switch (pattern) {
    case CommPattern::kAllreduce:
    case CommPattern::kHierarchical:
    case CommPattern::kLocalSgd:
      return true;
    case CommPattern::kPipeline:
    case CommPattern::kTree:
      return false;
  }
  return true;
}

SiteCounts Named(const LineMatrix& lines, const Counts& members) {
  SiteCounts counts;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (members[i] > 0) counts.emplace(lines.site(i), members[i]);
  }
  return counts;
}

void AddSites(GangPlan& plan, const PlanRequest& request, const Split& split) {
  const LineMatrix& lines = request.lines;
  const std::vector<std::size_t>& order = split.cost.order;
  Counts members;
  for (const std::size_t site : order) {
    members.push_back(split.members[site]);
    plan.sites.push_back({lines.site(site), split.members[site]});
  }
  std::vector<PlacedRank> placed;
  for (const RankAtSite& one : request.ranks) {
    const auto place = std::ranges::find(order, one.site);
    if (place == order.end()) continue;
    placed.push_back({one.rank, static_cast<std::size_t>(place - order.begin())});
  }
  const bool ring = IsRing(request.profile.pattern);
  for (const PlaceBlock& block : AssignRanks(members, ring, std::move(placed))) {
    plan.blocks.push_back({block.first, block.count, plan.sites[block.place].site});
  }
  for (const LineIndex& line : split.cost.lines) {
    const auto [a, b] = std::minmax(lines.site(line.a), lines.site(line.b));
    plan.lines.emplace_back(a, b);
  }
}

}  // namespace

GangPlan PlanGang(const PlanRequest& request, std::size_t exact_sites) {
  SplitQuestion question = ToQuestion(request);
  const std::uint64_t placed = Sum(question.placed);
  GangPlan plan;
  plan.size = SizeOf(request, placed);
  question.members = Capped(std::min<std::uint64_t>(plan.size, placed + Sum(question.room)));
  plan.planned = question.members;
  const std::vector<Split> splits = BestSplits(question, exact_sites);
  if (!splits.empty()) {
    plan.cost = splits.front().cost;
    AddSites(plan, request, splits.front());
    for (std::size_t i = 1; i < std::min(splits.size(), kMostAlternatives + 1); ++i) {
      plan.alternatives.push_back(
          {Named(request.lines, splits[i].members), splits[i].cost.seconds});
    }
  }
  std::size_t roomiest = 0;
  for (std::size_t i = 1; i < question.room.size(); ++i) {
    if (question.placed[i] + question.room[i] >
        question.placed[roomiest] + question.room[roomiest]) {
      roomiest = i;
    }
  }
  const bool any = !question.room.empty();
  plan.why = WhyText(plan, any ? request.lines.site(roomiest) : std::string(),
                     any ? question.placed[roomiest] + question.room[roomiest] : 0);
  return plan;
}

}  // namespace fairlead::extender
