// How room is kept for gangs on the way to where their moves bring them.
#include <map>
#include <set>
#include <utility>

#include "extender/decision/gang_seats.h"

namespace fairlead::extender {
namespace {

std::uint32_t MembersAt(const SiteCounts& room, std::string_view site) {
  const auto found = room.find(std::string(site));
  return found == room.end() ? 0 : found->second;
}

// Members that the plan has at the site and that have no node yet.
std::uint32_t StillPromised(const PlanInForce& plan, const std::string& site) {
  const std::uint32_t settled = MembersAt(plan.settled, site);
  const std::uint32_t members = plan.plan.MembersIn(site);
  return members > settled ? members - settled : 0;
}

}  // namespace

void GangSeats::KeepRoom(const Knowledge& known) {
  if (known.moves) kept_.Follow(*known.moves, *known.cluster, known.setup->moves, known.wall_now);
}

// Whoever of the gang is there, of before or after the move, has room of its own.
SiteCounts GangSeats::Coming(const KeptPlace& place, const ClusterView& cluster) const {
  SiteCounts coming = place.to;
  std::set<std::string_view> counted;
  const auto there = [&](std::string_view uid, std::string_view site) {
    const auto found = coming.find(std::string(site));
    if (!counted.insert(uid).second || found == coming.end()) return;
    if (--found->second == 0) coming.erase(found);
  };
  if (const GangView* const seen = cluster.FindGang(place.gang)) {
    for (const BoundMember& member : seen->bound) there(member.uid, member.site);
  }
  for (const auto& [uid, node] : beliefs_.Members(place.gang, {})) {
    there(uid, cluster.SiteOf(node));
  }
  return coming;
}

std::vector<PromisedMembers> GangSeats::PromisedBesides(const GangKey& asker,
                                                        const ClusterView& cluster) const {
  std::vector<PromisedMembers> promised = plans_.Promised(asker);
  for (const KeptPlace& place : kept_.Before(asker)) {
    // Once some of its pods have seats, its plan promises the rest of them the same room.
    const PlanInForce* const plan = plans_.Find(place.gang);
    for (const auto& [site, members] : Coming(place, cluster)) {
      const std::uint32_t by_plan = plan == nullptr ? 0 : StillPromised(*plan, site);
      if (members <= by_plan) continue;
      promised.push_back({.site = site, .members = members - by_plan, .needs = place.needs.get()});
    }
  }
  return promised;
}

std::vector<SiteRefusal> GangSeats::Kept(const Question& question) const {
  if (question.destination.binds) return {};
  const ClusterView& cluster = *question.known.cluster;
  const GangKey& asker = question.gang->key;
  std::map<std::string_view, const KeptPlace*> kept;
  for (const KeptPlace& place : kept_.Before(asker)) {
    for (const auto& [site, members] : Coming(place, cluster)) {
      if (const auto offered = question.IndexOf(site)) {
        kept.emplace(question.sites[*offered], &place);
      }
    }
  }
  if (kept.empty()) return {};
  const SiteCounts left = Room(question);
  // Where nothing is promised to anybody: part of it may be by the moving gang's own plan.
  const SiteCounts alone = RoomBeside(question, {}, false);
  std::vector<SiteRefusal> refusals;
  for (const auto& [site, place] : kept) {
    if (MembersAt(left, site) > 0 || MembersAt(alone, site) == 0) continue;
    refusals.push_back({.site = std::string(site),
                        .cause = RefusalCause::kRoomKept,
                        .reason = "its room is kept for gang " + place->gang.Text() +
                                  ", which move " + std::to_string(place->move) +
                                  " of it brings there"});
  }
  return refusals;
}

}  // namespace fairlead::extender
