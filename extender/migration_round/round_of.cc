#include "extender/migration_round/round_of.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "extender/migration_round/gang_lever.h"
#include "extender/migration_round/gang_places.h"
#include "extender/migration_round/line_facts.h"
#include "extender/migration_round/moving_cost_of.h"
#include "extender/relocation/move_record.h"

namespace fairlead::extender {
namespace {

SiteCounts MembersOf(const GangView& gang) {
  SiteCounts members;
  for (const BoundMember& member : gang.bound) {
    if (!member.site.empty()) ++members[member.site];
  }
  return members;
}

std::uint32_t SizeOf(const GangView& gang) {
  return gang.size.value_or(static_cast<std::uint32_t>(gang.bound.size()) + gang.pending);
}

LineThresholds ThresholdsOf(const LineLimits& limits) {
  LineThresholds thresholds;
  thresholds.max_rtt = limits.max_rtt;
  thresholds.max_jitter = limits.max_jitter;
  if (limits.min_bytes_per_second) {
    thresholds.min_bandwidth_bits_per_second =
        static_cast<std::uint64_t>(*limits.min_bytes_per_second * 8);
  }
  return thresholds;
}

class RoundMaker {
 public:
  RoundMaker(const RoundKnowledge& known, LimitWatch& limits)
      : known_(known), limits_(limits), lines_(LinesOf(known.links, known.config)) {
    for (const auto& gang : known.cluster.gangs()) {
      if (!gang->bound.empty() && !gang->owner.object.uid.empty())
        ++gangs_of_[gang->owner.object.uid];
    }
  }

  MigrationRound Make() {
    MigrationRound round{.now = known_.now,
                         .wall = known_.wall,
                         .leading = known_.leading,
                         .cluster_fresh = known_.cluster_fresh,
                         .lines = {},
                         .gangs = {},
                         .others = {}};
    for (const auto& [pair, line] : lines_) round.lines.push_back(line.condition);
    for (const auto& gang : known_.cluster.gangs()) {
      if (gang->bound.empty() || SizeOf(*gang) < 2 || !gang->wishes) {
        NoteMovesOf(*gang, round);
      } else {
        round.gangs.push_back(ConditionOf(*gang));
      }
    }
    limits_.Expire(known_.now);
    return round;
  }

 private:
  RecordedMoves RecordOf(const GangView& view) const {
    if (view.owner.followed || !known_.record_of) return view.owner.moves;
    return known_.record_of(view.owner.object.uid);
  }

  void NoteMovesOf(const GangView& view, MigrationRound& round) const {
    const RecordedMoves record = RecordOf(view);
    const auto& moves = record.history();
    if (!moves) return;
    for (PastMove& move : PastMovesOf(*moves, known_.wall)) {
      round.others.push_back({view.key, std::move(move)});
    }
  }

  GangCondition ConditionOf(const GangView& view) {
    const MoveWishes& wishes = *view.wishes;
    GangCondition gang;
    gang.key = view.key;
    gang.name = view.owner.object.uid.empty()
                    ? view.key.Text()
                    : view.key.namespace_name + "/" + view.owner.object.name;
    gang.members = MembersOf(view);
    gang.cost = MovingCostOf(wishes, known_.config.costs, known_.wall);
    gang.remaining = RemainingOf(wishes, known_.wall);
    if (view.running_since) {
      gang.running_for = std::max(Nanoseconds(known_.wall - *view.running_since), Nanoseconds(0));
    }
    gang.size = SizeOf(view);
    gang.ready = view.ready;
    gang.succeeded = view.succeeded;
    gang.priority = wishes.priority;
    gang.priority_class = wishes.priority_class;
    gang.wish = wishes.mode;
    gang.not_movable = WhyNotMovable(view, gang.history);
    Here here = StepHere(wishes.profile, gang.members,
                         MatrixOver(SitesOf(gang.members), LineOccupancy()), lines_);
    gang.crosses = std::move(here.crosses);
    gang.step_seconds = here.step_seconds;
    gang.breaches = Breaches(view, gang.crosses);
    if (ModeOf(gang, known_.config) != MigrationMode::kOff && HasReason(gang)) {
      LookElsewhere(view, gang);
    }
    return gang;
  }

  static std::vector<std::string> SitesOf(const SiteCounts& members) {
    std::vector<std::string> sites;
    for (const auto& [site, count] : members) sites.push_back(site);
    return sites;
  }

  LineMatrix MatrixOver(std::vector<std::string> sites, const LineOccupancy& occupancy) const {
    return {std::move(sites), known_.links, known_.lines, occupancy};
  }

  std::string WhyNotMovable(const GangView& view, std::vector<PastMove>& history) const {
    const OwnerFacts& owner = view.owner.object;
    const RecordedMoves record = RecordOf(view);
    if (const auto& moves = record.history()) {
      history = PastMovesOf(*moves, known_.wall);
    } else {
      return "the record of its moves cannot be read: " + moves.error().message;
    }
    if (std::ranges::any_of(view.bound, [](const auto& member) { return member.site.empty(); })) {
      return "a member of it runs on a node of no known site";
    }
    const auto gangs = gangs_of_.find(owner.uid);
    const auto lever = LeverOfGang(view, gangs == gangs_of_.end() ? 1 : gangs->second);
    if (!lever) return lever.error().message;
    if (known_.declined) {
      if (std::string why = known_.declined(view.key); !why.empty()) return why;
    }
    return view.wishes->fault;
  }

  std::vector<LimitBreach> Breaches(const GangView& view, const std::vector<SitePair>& crosses) {
    const LineThresholds own = ThresholdsOf(view.wishes->limits);
    const std::string who = view.key.Text();
    std::vector<LimitBreach> breaches;
    for (const SitePair& line : crosses) {
      if (line.first == line.second) continue;
      const auto found = lines_.find(line);
      const LineValues values = found == lines_.end() ? LineValues{} : found->second.values;
      for (LimitBreach& breach : limits_.Observe(
               who, line, extender::ThresholdsOf(line, own, known_.config), values, known_.now)) {
        breaches.push_back(std::move(breach));
      }
    }
    return breaches;
  }

  bool HasReason(const GangCondition& gang) const {
    const auto moving = [](const PastMove& move) { return !move.ended_ago; };
    const auto not_well = [&](const SitePair& line) {
      const auto found = lines_.find(line);
      return found == lines_.end() || found->second.judgement != LineJudgement::kWell;
    };
    return !gang.breaches.empty() || std::ranges::any_of(gang.history, moving) ||
           std::ranges::any_of(gang.crosses, not_well);
  }

  // Both steps by the same lines, on which only others are.
  void LookElsewhere(const GangView& view, GangCondition& gang) const {
    if (!view.needs) return;
    const WholeRoom whole = known_.room_of(view);
    std::set<std::string> sites;
    for (const auto& [site, count] : gang.members) sites.insert(site);
    for (const auto& [site, count] : whole.room) {
      if (count > 0) sites.insert(site);
    }
    const MoveWishes& wishes = *view.wishes;
    const LineMatrix matrix = MatrixOver({sites.begin(), sites.end()}, whole.occupancy);
    gang.step_seconds = StepHere(wishes.profile, gang.members, matrix, lines_).step_seconds;
    const LineThresholds own = ThresholdsOf(wishes.limits);
    gang.places = PlacesOf({.profile = wishes.profile,
                            .members = gang.size,
                            .room = whole.room,
                            .lines = matrix,
                            .facts = lines_,
                            .usable = [&](const SitePair& line) { return Usable(line, own); }});
  }

  // Known to be well and within all limits; the inside of a site also where it is not judged.
  bool Usable(const SitePair& line, const LineThresholds& own) const {
    const bool inside = line.first == line.second;
    const auto found = lines_.find(line);
    if (found == lines_.end()) return inside;
    if (found->second.judgement != LineJudgement::kWell) return false;
    if (inside) return true;
    const LineThresholds limits = extender::ThresholdsOf(line, own, known_.config);
    return LimitWatch().Observe({}, line, limits, found->second.values, known_.now).empty();
  }

  const RoundKnowledge& known_;
  LimitWatch& limits_;
  const LinesFacts lines_;
  std::map<std::string_view, std::uint32_t> gangs_of_;  // by uid of their owner
};

}  // namespace

MigrationRound RoundOf(const RoundKnowledge& known, LimitWatch& limits) {
  return RoundMaker(known, limits).Make();
}

}  // namespace fairlead::extender
