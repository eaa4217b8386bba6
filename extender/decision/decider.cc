#include "extender/decision/decider.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <thread>
#include <tuple>
#include <utility>

#include "extender/placement/score_scale.h"
#include "extender/placement/site_score.h"

namespace fairlead::extender {
namespace {

// Nothing beats the plan in force, however close it comes.
constexpr double kOffPlanPoints = kMostPoints - 1;

// For 120 ms, of which a view may be old by 50.
constexpr int kLooksForGang = 60;
constexpr Nanoseconds kBetweenLooks = Milliseconds(2);
constexpr std::size_t kPodsRemembered = 4096;

bool Covers(const IdleCapacity& idle, const Amounts& requests) {
  const auto has = [&](const auto& wanted) {
    return idle.Of(wanted.first) >= static_cast<double>(wanted.second);
  };
  return idle.milli_cpu >= static_cast<double>(requests.milli_cpu) &&
         idle.memory_bytes >= static_cast<double>(requests.memory_bytes) &&
         std::ranges::all_of(requests.extended, has);
}

}  // namespace

Decider::Decider(const DeciderSources& sources, DecisionLog& log, EventSink& events)
    : sources_(sources), log_(log), events_(events), asked_(kPodsRemembered) {}

// A Job's first pod may be asked about some milliseconds before the view shows the Job, and without
// its size the pod would be placed without a plan. The wait is for such a pod alone, once, and
// short beside any scheduler's patience.
std::optional<Gang> Decider::AwaitedGang(const PodFacts& pod) {
  std::optional<Gang> gang = RecogniseGang(pod);
  if (!gang || gang->size || !sources_.setup.Get()->cluster_stale_after) return gang;
  // What may not be listed never comes.
  const bool of_job = gang->key.kind == "job";
  if (of_job && !sources_.cluster.Get()->heard().jobs) return gang;
  if (!asked_.First(pod.uid)) return gang;
  for (int looks = 0; looks < kLooksForGang; ++looks) {
    const auto cluster = sources_.cluster.Get();
    const GangView* const seen = cluster->FindGang(gang->key);
    if (seen != nullptr && (!of_job || seen->of_known_job)) break;
    std::this_thread::sleep_for(kBetweenLooks);
  }
  return gang;
}

Knowledge Decider::Known(std::shared_ptr<const ClusterView> cluster) const {
  const MonotonicTime now = sources_.clock.Now();
  return {.setup = sources_.setup.Get(),
          .cluster = std::move(cluster),
          .links = sources_.links.Get(),
          .now = now,
          .wall_now = sources_.clock.WallNow(),
          .leads = sources_.leadership.Get()->LeadsAt(now),
          .moves = sources_.moves ? sources_.moves->Get() : nullptr};
}

Question Decider::Open(std::string_view verb, const PodFacts& pod, std::optional<Gang> gang,
                       std::span<const OfferedNode> nodes) {
  Question question = Ask(verb, pod, std::move(gang), nodes, Known(sources_.cluster.Get()));
  if (question.gang) seats_.Begin(question);
  return question;
}

PlacementRequest Decider::RequestOf(Question& question) {
  PlacementRequest request;
  request.profile = question.wishes.profile;
  request.limits = question.wishes.limits;
  request.candidate_sites.assign(question.sites.begin(), question.sites.end());
  if (!question.gang) return request;
  request.has_gang = true;
  request.members = seats_.Members(question);
  std::uint32_t placed = 0;
  for (const auto& [site, members] : request.members) placed += members;
  const std::uint32_t size = question.gang_size.value_or(0);
  request.remaining = size > placed ? size - placed : 1;
  question.record.members = request.members;
  return request;
}

std::vector<SiteRefusal> Decider::Refusals(Question& question, PlacementRequest& request) {
  std::vector<SiteRefusal> refusals = FilterSites(request, *question.known.links);
  const bool fail_open = !refusals.empty() && WholeClusterDown(question, request);
  const auto spared = std::erase_if(refusals, [&](const SiteRefusal& refusal) {
    return fail_open && refusal.cause == RefusalCause::kLineDown;
  });
  if (spared > 0) {
    question.record.notes.push_back(
        "no site with room would be left in the cluster, so lines that are Down refuse nothing");
  }
  if (!question.gang) return refusals;
  for (SiteRefusal& kept : seats_.Kept(question)) {
    if (std::ranges::find(refusals, kept.site, &SiteRefusal::site) != refusals.end()) continue;
    refusals.push_back(std::move(kept));
  }
  return refusals;
}

// Judged by the cluster, never by what one request happens to offer.
bool Decider::WholeClusterDown(const Question& question, PlacementRequest& request) const {
  request.free_members = seats_.Room(question);
  PlacementRequest everywhere = request;
  everywhere.candidate_sites.clear();
  for (const auto& [site, free] : request.free_members) {
    if (free > 0) everywhere.candidate_sites.push_back(site);
  }
  if (everywhere.candidate_sites.empty()) return false;
  return FilterSites(everywhere, *question.known.links).size() == everywhere.candidate_sites.size();
}

SeatDecision Decider::Seat(Question& question, const std::vector<SiteRefusal>& refusals) {
  // There is nothing to plan of a gang that may have any number of members.
  const bool whole = question.gang && question.gang_size.value_or(0) > 1;
  if (!whole || question.pod.uid.empty()) return {};
  std::vector<std::string> excluded;
  for (const SiteRefusal& refusal : refusals) excluded.push_back(refusal.site);
  SeatDecision seat = seats_.Seat(question, std::move(excluded));
  if (seat.plan != nullptr) question.record.plan = seat.plan->why;
  if (seat.seat) question.record.seat = seat.seat->site;
  return seat;
}

std::vector<double> Decider::PointsBySite(Question& question, PlacementRequest& request,
                                          const SeatDecision& seat) {
  std::vector<double> points(question.sites.size(), kNeutralScore);
  const auto record = [&](std::uint32_t site, std::optional<double> seconds, SiteCounts placement,
                          std::string sentence) {
    question.record.sites.push_back({.site = std::string(question.sites[site]),
                                     .offered_nodes = question.offered[site],
                                     .score = static_cast<int>(std::lround(points[site])),
                                     .refused = false,
                                     .seconds = seconds,
                                     .placement = std::move(placement),
                                     .sentence = std::move(sentence)});
  };
  if (seat.seat && question.sites.size() == 1 && seat.seat->site == question.sites[0]) {
    points[0] = kMostPoints;
    record(0, seat.plan->cost.seconds, seat.plan->Counts(), "as planned");
    return points;
  }
  if (question.gang) {
    if (request.free_members.empty()) request.free_members = seats_.Room(question);
    request.occupancy = seats_.Occupancy(question);
  }
  for (SiteScore& site : ScoreSites(request, *question.known.links, question.known.setup->lines)) {
    const auto index = question.IndexOf(site.site);
    if (!index) continue;
    points[*index] = site.score;
    if (seat.seat) {
      const bool planned = site.site == seat.seat->site;
      points[*index] = planned ? kMostPoints : std::min(site.score, kOffPlanPoints);
    }
    record(*index, site.seconds, std::move(site.placement), std::move(site.explanation));
  }
  return points;
}

std::vector<double> Decider::Prioritize(const PodFacts& pod, std::span<const OfferedNode> nodes,
                                        ScoreScale scale) {
  const auto scaled = [&scale](double points) {
    return scale.whole ? std::round(points * scale.factor) : points * scale.factor;
  };
  std::optional<Gang> gang = AwaitedGang(pod);
  std::unique_lock lock(mutex_);
  Question question = Open("prioritize", pod, std::move(gang), nodes);
  PlacementRequest request = RequestOf(question);
  const std::vector<SiteRefusal> refusals = Refusals(question, request);
  const SeatDecision seat = Seat(question, refusals);
  const std::vector<double> by_site = PointsBySite(question, request, seat);
  std::vector<double> scores;
  scores.reserve(nodes.size());
  for (const std::uint32_t site : question.site_of) {
    scores.push_back(scaled(site == Question::kNone ? kNeutralScore : by_site[site]));
  }
  Assume(question, BestNode(question, scores));
  Tell(question, seat);
  lock.unlock();
  Close(std::move(question));
  return scores;
}

FilterDecision Decider::Filter(const PodFacts& pod, std::span<const OfferedNode> nodes,
                               FilterAsk ask) {
  std::optional<Gang> gang = AwaitedGang(pod);
  std::unique_lock lock(mutex_);
  Question question = Open("filter", pod, std::move(gang), nodes);
  PlacementRequest request = RequestOf(question);
  const std::vector<SiteRefusal> refusals = Refusals(question, request);
  FilterDecision decision;
  std::vector<std::uint32_t> by_site(question.sites.size());
  for (const SiteRefusal& refusal : refusals) {
    const auto index = question.IndexOf(refusal.site);
    if (!index) continue;
    decision.refusals.push_back(
        {.sentence = "fairlead: site " + refusal.site + ": " + refusal.reason,
         .final = refusal.cause != RefusalCause::kRoomKept});
    by_site[*index] = static_cast<std::uint32_t>(decision.refusals.size());
    question.record.sites.push_back({.site = refusal.site,
                                     .offered_nodes = question.offered[*index],
                                     .score = std::nullopt,
                                     .refused = true,
                                     .seconds = std::nullopt,
                                     .placement = {},
                                     .sentence = refusal.reason});
  }
  const SeatDecision seat = ask == FilterAsk::kAllNodes ? Seat(question, refusals) : SeatDecision{};
  const auto hard = static_cast<std::uint32_t>(decision.refusals.size());
  for (const std::string& sentence : seat.filter.sentences) {
    decision.refusals.push_back({.sentence = "fairlead: " + sentence, .final = false});
  }
  std::string_view only;
  std::size_t fitting = 0;
  decision.why_not.reserve(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::uint32_t site = question.site_of[i];
    std::uint32_t why_not = site == Question::kNone ? 0 : by_site[site];
    if (why_not == 0 && seat.seat && seat.filter.off_plan[i] != 0) {
      why_not = hard + seat.filter.off_plan[i];
    }
    decision.why_not.push_back(why_not);
    if (why_not != 0) continue;
    only = nodes[i].name;
    ++fitting;
  }
  // The scheduler skips prioritize when a single node is left.
  if (fitting == 1 && ask == FilterAsk::kAllNodes) Assume(question, only);
  Tell(question, seat);
  lock.unlock();
  if (ask == FilterAsk::kAllNodes || fitting < nodes.size()) Close(std::move(question));
  return decision;
}

GangLines Decider::LinesOfGangs() {
  const auto setup = sources_.setup.Get();
  const auto cluster = sources_.cluster.Get();
  const MonotonicTime now = sources_.clock.Now();
  if (setup->cluster_stale_after) {
    const auto age = cluster->Age(now);
    if (!age || *age > *setup->cluster_stale_after) return {};
  }
  GangLines lines{.known = true};
  std::lock_guard lock(mutex_);
  for (const auto& [line, gangs] : seats_.OccupancyOfAll(*cluster, now)) {
    if (gangs > 0) lines.crossed.insert(line);
  }
  return lines;
}

WholeRoom Decider::RoomOfWhole(const GangView& gang, std::shared_ptr<const ClusterView> cluster) {
  const Knowledge known = Known(std::move(cluster));
  std::lock_guard lock(mutex_);
  return seats_.RoomOfWhole(gang, known);
}

void Decider::Assume(Question& question, std::string_view node) {
  if (!question.gang || node.empty()) return;
  seats_.Assume(question, node);
  question.record.assumed_node = node;
}

// The scheduler chooses among equals by its own rules. We believe in a node with room, and among
// those in the one of highest hash with the pod, so that members spread and a repeated question
// has the same answer.
std::string_view Decider::BestNode(const Question& question,
                                   const std::vector<double>& scores) const {
  if (!question.gang) return {};
  const std::size_t seed = std::hash<std::string>{}(question.pod.uid);
  std::optional<std::tuple<double, bool, std::size_t>> best_rank;
  std::string_view best;
  for (std::size_t i = 0; i < question.nodes.size(); ++i) {
    if (question.site_of[i] == Question::kNone) continue;
    if (best_rank && scores[i] < std::get<0>(*best_rank)) continue;
    const OfferedNode& node = question.nodes[i];
    const std::uint32_t place = question.node_of[i];
    const bool room = node.idle != nullptr
                          ? Covers(*node.idle, question.needs.requests)
                          : place != Question::kNone && seats_.HasRoom(question, place);
    // Fibonacci hashing.
    const std::size_t hash =
        (std::hash<std::string_view>{}(node.name) ^ seed) * 0x9e3779b97f4a7c15U;
    const std::tuple rank{scores[i], room, hash};
    if (best_rank && rank <= *best_rank) continue;
    best_rank = rank;
    best = node.name;
  }
  return best;
}

void Decider::Tell(const Question& question, const SeatDecision& seat) {
  const PodFacts& pod = question.pod;
  const EventRegarding regarding{.api_version = "v1",
                                 .kind = "Pod",
                                 .namespace_name = pod.namespace_name,
                                 .name = pod.name,
                                 .uid = pod.uid};
  for (const PodFault& fault : question.faults) {
    events_.Tell({.regarding = regarding,
                  .type = ClusterEvent::Type::kWarning,
                  .reason = std::string(fault.reason),
                  .action = "Scoring",
                  .note = fault.sentence});
  }
  if (seat.plan == nullptr || seat.replanned.empty()) return;
  events_.Tell({.regarding = regarding,
                .type = ClusterEvent::Type::kNormal,
                .reason = "GangPlanned",
                .action = "Planning",
                .note = "gang " + question.gang->key.Text() + ": " + seat.plan->why +
                        " (planned because " + seat.replanned + ")"});
}

void Decider::Close(Question question) {
  std::ranges::sort(question.record.sites, {}, &SiteDecision::site);
  log_.Add(std::move(question.record));
}

}  // namespace fairlead::extender
