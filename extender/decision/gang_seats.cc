#include "extender/decision/gang_seats.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <span>
#include <utility>

#include "extender/cluster/amounts.h"
#include "extender/gang_plan/capacity.h"
#include "extender/placement/line_occupancy.h"

namespace fairlead::extender {
namespace {

constexpr Nanoseconds kOccupancyAge = Seconds(1);

std::vector<std::string> AllSites(const Question& question) {
  std::set<std::string, std::less<>> sites(question.known.cluster->sites().begin(),
                                           question.known.cluster->sites().end());
  sites.insert(question.sites.begin(), question.sites.end());
  return {sites.begin(), sites.end()};
}

bool Covers(const Amounts& free, const Amounts& requests) {
  const auto has = [&](const auto& wanted) {
    const auto found = free.extended.find(wanted.first);
    return wanted.second <= (found == free.extended.end() ? 0 : found->second);
  };
  return requests.milli_cpu <= free.milli_cpu && requests.memory_bytes <= free.memory_bytes &&
         requests.ephemeral_storage_bytes <= free.ephemeral_storage_bytes &&
         std::ranges::all_of(requests.extended, has);
}

// Whether the gang's plan is where its move goes: it is to be had, and the gang is still as large.
bool Binds(const Question& question, const std::vector<std::string>& excluded) {
  const Destination& destination = question.destination;
  if (!destination.binds) return false;
  std::uint64_t seats = 0;
  for (const auto& [site, members] : destination.to) {
    if (std::ranges::find(excluded, site) != excluded.end()) return false;
    seats += members;
  }
  return question.gang_size.value_or(0) <= seats;
}

std::vector<BoundMember> OfAfter(const Question& question) {
  std::vector<BoundMember> after;
  if (!question.destination.binds) return after;
  for (const BoundMember& member : question.bound) {
    if (IsOfAfter(question.destination, member.uid, member.site)) after.push_back(member);
  }
  return after;
}

// Seats that pods of after the move have not taken; whether a node has room is the scheduler's.
SiteCounts RoomAt(const Destination& destination, const std::vector<BoundMember>& after) {
  SiteCounts room = destination.to;
  for (const BoundMember& member : after) {
    const auto site = room.find(member.site);
    if (site != room.end() && site->second > 0) --site->second;
  }
  return room;
}

// A pod's first question may come before the cluster shows the pod, so that its node selector,
// tolerations and other requests are not known. The scheduler, which knows them, has offered the
// nodes that they allow.
void KeepOffered(const Question& question, std::span<const NodeCapacity> nodes, NodesLeft& left) {
  left.resize(nodes.size());
  std::vector<bool> offered(nodes.size());
  for (const std::uint32_t place : question.node_of) {
    if (place != Question::kNone) offered[place] = true;
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!offered[i]) left[i] = NodeLeft{};
  }
}

}  // namespace

void GangSeats::Begin(const Question& question) {
  const Knowledge& known = question.known;
  plans_.set_ttl(known.setup->gang_ttl);
  plans_.Expire(known.now);
  beliefs_.Expire(known.setup->gang_ttl, known.now);
  KeepRoom(known);
  if (compared_ == known.cluster) return;
  beliefs_.Compare(*known.cluster);
  EndGone(*known.cluster);
  compared_ = known.cluster;
}

// A gang that was deleted must not keep room from others for its time to live.
void GangSeats::EndGone(const ClusterView& cluster) {
  for (auto gang = planned_.begin(); gang != planned_.end();) {
    auto& [key, planned] = *gang;
    const bool there = cluster.FindGang(key) != nullptr;
    const bool gone = planned.shown && !there;
    planned.shown |= there;
    if (gone) {
      plans_.Drop(key);
      beliefs_.Forget(key);
    }
    gang = gone || !plans_.Has(key) ? planned_.erase(gang) : std::next(gang);
  }
}

GangSeats::Planned& GangSeats::PlannedOf(const Question& question) {
  const bool shown = question.known.cluster->FindGang(question.gang->key) != nullptr;
  return planned_.try_emplace(question.gang->key, Planned{.shown = shown}).first->second;
}

SeatDecision GangSeats::Seat(const Question& question, std::vector<std::string> excluded) {
  const std::string name = question.gang->key.Text();
  const bool one_of_many = question.nodes.size() == 1 && OthersHaveRoom(question);
  // A seat on a site that is out of the question is no seat.
  std::vector<std::string_view> node_sites = question.node_sites;
  for (std::string_view& site : node_sites) {
    if (std::ranges::find(excluded, site) != excluded.end()) site = {};
  }
  // Standalone no pod is ever shown.
  const bool awaited =
      question.known.setup->cluster_stale_after.has_value() && !question.needs_known;
  const bool binds = Binds(question, excluded);
  const std::vector<BoundMember> after = OfAfter(question);
  const SeatQuestion asked{.gang = question.gang->key,
                           .name = name,
                           .uid = question.pod.uid,
                           .rank = question.gang->rank,
                           .size = question.gang_size,
                           .bound = binds ? after : question.bound,
                           .node_sites = node_sites,
                           .full = !one_of_many && !binds};
  const auto inputs = [&] {
    return PlanInputs{
        .profile = question.wishes.profile,
        .lines = LineMatrix(AllSites(question), *question.known.links, question.known.setup->lines,
                            Occupancy(question), question.destination.left),
        .room =
            binds ? RoomAt(question.destination, after) : Room(question, awaited && !one_of_many),
        .excluded = excluded,
        .needs = question.needs};
  };
  Planned& planned = PlannedOf(question);
  // The plan of before the move is over.
  if (binds &&
      std::exchange(planned.move, question.destination.move) != question.destination.move) {
    plans_.Drop(question.gang->key);
  }
  return SeatPod(plans_, asked, inputs, question.known.now);
}

// Whether the one node offered is one that the scheduler has in mind, of several that would do.
bool GangSeats::OthersHaveRoom(const Question& question) const {
  const std::span<const NodeCapacity> nodes = question.known.cluster->nodes();
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    if (i == question.node_of[0]) continue;
    if (MatchNode(question.needs, nodes[i]) != NodeMatch::kMatches) continue;
    const NodeLeft left = beliefs_.LeftOf(nodes[i], question.pod.uid);
    if (RoomIn(question.needs, left.free, left.pods) > 0) return true;
  }
  return false;
}

void GangSeats::Assume(const Question& question, std::string_view node) {
  plans_.Assume(question.gang->key, question.pod.uid, node, question.known.now);
  beliefs_.Believe(question.pod.uid, question.gang->key, node, question.needs.requests,
                   question.known.now);
}

SiteCounts GangSeats::Members(const Question& question) const {
  SiteCounts members;
  std::set<std::string_view> counted{question.pod.uid};
  for (const BoundMember& member : question.bound) {
    if (counted.insert(member.uid).second) ++members[member.site];
  }
  for (const auto& [uid, node] : beliefs_.Members(question.gang->key, question.pod.uid)) {
    const std::string_view site = question.known.cluster->SiteOf(node);
    if (!site.empty() && counted.insert(uid).second) ++members[std::string(site)];
  }
  return members;
}

SiteCounts GangSeats::Room(const Question& question, bool only_offered) const {
  return RoomBeside(question, PromisedBesides(question.gang->key, *question.known.cluster),
                    only_offered);
}

SiteCounts GangSeats::RoomBeside(const Question& question,
                                 std::span<const PromisedMembers> promised,
                                 bool only_offered) const {
  const ClusterView& cluster = *question.known.cluster;
  std::span<const NodeCapacity> nodes = cluster.nodes();
  NodesLeft left = beliefs_.Left(cluster, question.pod.uid);
  if (only_offered) KeepOffered(question, nodes, left);
  std::vector<NodeCapacity> marked;
  if (question.needs.one_per_host) {
    marked.assign(nodes.begin(), nodes.end());
    for (const BoundMember& member : question.bound) {
      if (const auto place = cluster.Find(member.node)) marked[*place].has_member = true;
    }
    nodes = marked;
  }
  return MembersThatFit(question.needs, nodes, promised, std::move(left)).by_site;
}

LineOccupancy GangSeats::Occupancy(const Question& question) {
  return OccupancyBut(question.gang->key, *question.known.cluster, question.known.now);
}

LineOccupancy GangSeats::OccupancyOfAll(const ClusterView& cluster, MonotonicTime now) {
  plans_.Expire(now);
  return OccupancyBut({}, cluster, now);
}

LineOccupancy GangSeats::OccupancyBut(const GangKey& except, const ClusterView& cluster,
                                      MonotonicTime now) {
  if (now - spanning_at_ >= kOccupancyAge) {
    spanning_at_ = now;
    spanning_.clear();
    for (const auto& gang : cluster.gangs()) {
      SiteCounts sites;
      for (const BoundMember& member : gang->bound) ++sites[member.site];
      if (sites.size() > 1) spanning_.emplace_back(gang->key, std::move(sites));
    }
  }
  std::vector<SiteCounts> others;
  for (const auto& [key, sites] : spanning_) {
    if (key != except && !plans_.Has(key)) others.push_back(sites);
  }
  LineOccupancy occupancy = CountCrossings(others);
  for (const auto& [line, gangs] : plans_.Crossings(except)) occupancy[line] += gangs;
  return occupancy;
}

WholeRoom GangSeats::RoomOfWhole(const GangView& gang, const Knowledge& known) {
  const ClusterView& cluster = *known.cluster;
  // No scheduler may have asked for long.
  plans_.Expire(known.now);
  beliefs_.Expire(known.setup->gang_ttl, known.now);
  KeepRoom(known);
  WholeRoom whole{.room = {}, .occupancy = OccupancyBut(gang.key, cluster, known.now)};
  if (!gang.needs) return whole;
  const std::span<const NodeCapacity> nodes = cluster.nodes();
  NodesLeft left = beliefs_.Left(cluster, {});
  left.resize(nodes.size());
  for (const BoundMember& member : gang.bound) {
    const auto place = cluster.Find(member.node);
    if (!place) continue;
    std::optional<NodeLeft>& there = left[*place];
    if (!there) there = NodeLeft{.free = nodes[*place].free, .pods = nodes[*place].pods};
    Add(there->free, gang.needs->requests);
    ++there->pods;
  }
  whole.room =
      MembersThatFit(*gang.needs, nodes, PromisedBesides(gang.key, cluster), std::move(left))
          .by_site;
  return whole;
}

bool GangSeats::HasRoom(const Question& question, std::uint32_t place) const {
  const NodeCapacity& node = question.known.cluster->nodes()[place];
  if (!node.room_known) return false;
  if (beliefs_.empty()) return Covers(node.free, question.needs.requests);
  Amounts wanted = beliefs_.Taken(node.name, question.pod.uid);
  Add(wanted, question.needs.requests);
  return Covers(node.free, wanted);
}

}  // namespace fairlead::extender
