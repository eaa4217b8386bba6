#include "extender/replay/outcome.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <set>
#include <utility>

#include "extender/migration/excess_meter.h"
#include "extender/migration_round/gang_places.h"
#include "extender/migration_round/moving_cost_of.h"
#include "extender/replay/best_course.h"
#include "extender/replay/gang_stands.h"
#include "extender/replay/words.h"

namespace fairlead::extender {
namespace {

// Found by the search, besides those where the gang was.
constexpr std::size_t kMostFound = 24;

// A stretch of time in which neither links nor gangs change.
struct Stretch {
  WallTime at{};
  double seconds = 0;
  const LinkSnapshot& links;
  const LinesFacts& facts;
  const TracePlayer& player;
  const GangStands& stands;
};

bool Well(const LinesFacts& facts, const SitePair& line) {
  const auto found = facts.find(line);
  return found != facts.end() && found->second.judgement == LineJudgement::kWell;
}

bool Fits(const SiteCounts& members, const SiteCounts& room) {
  return std::ranges::all_of(members, [&](const auto& site) {
    const auto found = room.find(site.first);
    return found != room.end() && found->second >= site.second;
  });
}

class Accountant {
 public:
  Accountant(const ReplayQuestion& question, const ReplayRun& run)
      : question_(question), run_(run), places_(question.jobs.gangs.size()) {
    std::set<std::string> sites;
    for (const auto& [site, room] : question.jobs.room) sites.insert(site);
    for (const ReplayGang& gang : question.jobs.gangs) {
      for (const auto& [site, count] : gang.members) sites.insert(site);
    }
    sites_.assign(sites.begin(), sites.end());
  }

  Outcome Run() {
    FindPlaces();
    Outcome outcome;
    outcome.gangs.resize(places_.size());
    std::vector<PlaceCosts> costs;
    for (std::size_t g = 0; g < places_.size(); ++g) {
      const auto cost = TotalCost(
          MovingCostOf(question_.jobs.gangs[g].wishes, question_.config.costs, WallTime{}));
      costs.emplace_back(places_[g].size(), 0,
                         cost ? std::optional(InSeconds(*cost)) : std::nullopt);
    }
    EachStretch([&](const Stretch& stretch) {
      for (std::size_t g = 0; g < places_.size(); ++g) {
        if (stretch.stands.Runs(g)) Add(stretch, g, costs[g], outcome.gangs[g]);
      }
    });
    for (std::size_t g = 0; g < places_.size(); ++g) Judge(g, costs[g], outcome.gangs[g]);
    for (const ReplayedMove& move : run_.moves) {
      outcome.move_gains.push_back(GainOf(move, costs[move.gang]));
    }
    return outcome;
  }

 private:
  // Calls `visit` for each stretch in turn.
  void EachStretch(const std::function<void(const Stretch&)>& visit) const {
    std::vector<WallTime> times = ChangesOf(question_.links);
    for (const ReplayedMove& move : run_.moves) times.push_back(move.at);
    for (const ReplayGang& gang : question_.jobs.gangs) {
      for (const auto& at : {gang.start, gang.end}) {
        if (at && *at > question_.links.begin && *at < question_.links.end) times.push_back(*at);
      }
    }
    std::ranges::sort(times);
    times.erase(std::unique(times.begin(), times.end()), times.end());
    TracePlayer player(question_.links);
    GangStands stands(question_.jobs, question_.config.costs);
    auto move = run_.moves.begin();
    for (std::size_t i = 0; i < times.size(); ++i) {
      stands.Advance(times[i]);
      for (; move != run_.moves.end() && move->at <= times[i]; ++move) {
        stands.Move(move->gang, move->to, {}, {});
      }
      const WallTime end = i + 1 < times.size() ? times[i + 1] : question_.links.end;
      const LinkSnapshot& links = player.At(times[i]);
      const LinesFacts facts = LinesOf(links, question_.config);
      visit({times[i], InSeconds(end - times[i]), links, facts, player, stands});
    }
  }

  LineMatrix MatrixOf(const Stretch& stretch, const WholeRoom& whole) const {
    return {sites_, stretch.links, question_.lines, whole.occupancy};
  }

  // Where gangs began and went, and what the search finds whenever other lines are bad than before
  // or other gangs are elsewhere.
  void FindPlaces() {
    for (std::size_t g = 0; g < places_.size(); ++g) {
      places_[g].push_back(question_.jobs.gangs[g].members);
    }
    for (const ReplayedMove& move : run_.moves) Include(move.gang, move.to, SIZE_MAX);
    using Situation = std::pair<std::set<SitePair>, std::vector<SiteCounts>>;
    std::optional<Situation> last;
    EachStretch([&](const Stretch& stretch) {
      Situation now;
      for (const auto& [line, fact] : stretch.facts) {
        if (fact.judgement != LineJudgement::kWell) now.first.insert(line);
      }
      for (std::size_t g = 0; g < places_.size(); ++g) {
        now.second.push_back(stretch.stands.Runs(g) ? stretch.stands.MembersOf(g) : SiteCounts{});
      }
      if (last == now) return;
      for (std::size_t g = 0; g < places_.size(); ++g) {
        if (stretch.stands.Runs(g)) Search(stretch, g);
      }
      last = std::move(now);
    });
  }

  void Search(const Stretch& stretch, std::size_t gang) {
    const WholeRoom whole = stretch.stands.RoomOf(gang);
    const LineMatrix lines = MatrixOf(stretch, whole);
    std::uint32_t members = 0;
    for (const auto& [site, count] : places_[gang].front()) members += count;
    const auto places = PlacesOf({.profile = question_.jobs.gangs[gang].wishes.profile,
                                  .members = members,
                                  .room = whole.room,
                                  .lines = lines,
                                  .facts = stretch.facts,
                                  .usable = [&](const SitePair& line) {
                                    return line.first == line.second || question_.links.Knows(line);
                                  }});
    for (const Place& place : places) Include(gang, place.members, kMostFound);
  }

  void Include(std::size_t gang, const SiteCounts& members, std::size_t most) {
    std::vector<SiteCounts>& known = places_[gang];
    if (known.size() < most && std::ranges::find(known, members) == known.end()) {
      known.push_back(members);
    }
  }

  bool Watched(const Stretch& stretch, const std::vector<SitePair>& crosses) const {
    return std::ranges::all_of(crosses, [&](const SitePair& line) {
      return line.first == line.second || stretch.player.Watched(line);
    });
  }

  void Add(const Stretch& stretch, std::size_t gang, PlaceCosts& costs, GangOutcome& outcome) {
    const std::vector<SiteCounts>& places = places_[gang];
    const WholeRoom whole = stretch.stands.RoomOf(gang);
    const LineMatrix lines = MatrixOf(stretch, whole);
    const std::size_t before =
        costs.segments() == 0 ? costs.first() : costs.taken(costs.segments() - 1);
    const std::size_t taken = IndexOf(gang, stretch.stands.MembersOf(gang));
    std::vector<PlaceCosts::Here> here(places.size());
    std::vector<double> steps;
    double best = std::numeric_limits<double>::infinity();
    bool watched = true;
    for (std::size_t p = 0; p < places.size(); ++p) {
      const auto at =
          StepHere(question_.jobs.gangs[gang].wishes.profile, places[p], lines, stretch.facts);
      steps.push_back(at.step_seconds);
      best = std::min(best, at.step_seconds);
      watched = watched && Watched(stretch, at.crosses);
      here[p].may_leave = std::ranges::any_of(
          at.crosses, [&](const SitePair& line) { return !Well(stretch.facts, line); });
      here[p].may_enter = Fits(places[p], whole.room);
    }
    // What was done can be done.
    here[taken].may_enter = true;
    if (taken != before) here[before].may_leave = true;
    for (std::size_t p = 0; p < places.size() && watched; ++p) {
      here[p].lost = ExcessRate(steps[p], best);
    }
    outcome.ran += stretch.seconds;
    if (!watched) outcome.unwatched += stretch.seconds;
    costs.Add(stretch.at, stretch.seconds, here, taken);
  }

  std::size_t IndexOf(std::size_t gang, const SiteCounts& members) const {
    const auto& places = places_[gang];
    return static_cast<std::size_t>(std::ranges::find(places, members) - places.begin());
  }

  void Judge(std::size_t gang, const PlaceCosts& costs, GangOutcome& outcome) const {
    const double staying = LostStaying(costs, costs.first());
    const BestCourse course = FindBestCourse(costs);
    outcome.gain = staying - LostAsTaken(costs);
    outcome.best_gain = staying - course.lost_seconds;
    for (const CourseChange& change : course.changes) {
      outcome.best.push_back({costs.at(change.segment), places_[gang][change.to]});
    }
  }

  double GainOf(const ReplayedMove& move, const PlaceCosts& costs) const {
    std::size_t segment = 0;
    while (segment < costs.segments() && costs.at(segment) < move.at) ++segment;
    return LostStaying(costs, IndexOf(move.gang, move.from), segment) -
           LostStaying(costs, IndexOf(move.gang, move.to), segment) -
           costs.move_seconds().value_or(0);
  }

  const ReplayQuestion& question_;
  const ReplayRun& run_;
  std::vector<std::string> sites_;
  std::vector<std::vector<SiteCounts>> places_;  // of each gang; the first is where it begins
};

}  // namespace

Outcome OutcomeOf(const ReplayQuestion& question, const ReplayRun& run) {
  return Accountant(question, run).Run();
}

}  // namespace fairlead::extender
