#include "extender/gang_plan/seating.h"

#include <algorithm>
#include <utility>

namespace fairlead::extender {
namespace {

bool Offered(const SeatRequest& request, std::string_view site) {
  return std::ranges::find(request.sites, site) != request.sites.end();
}

// The first site of the ring with a seat left that `fits`; empty when there is none.
template <class Fits>
std::string FreeSite(const PlanInForce& in_force, Fits fits) {
  for (const PlannedSite& site : in_force.plan.sites) {
    if (in_force.FreeSeats(site.site) > 0 && fits(site.site)) return site.site;
  }
  return {};
}

// A pod that came back under another uid leaves a seat of its rank behind.
void SupersedeRank(PlanInForce& in_force, const SeatRequest& request) {
  if (!request.rank) return;
  for (const auto& [uid, seat] : in_force.seats) {
    if (seat.rank != request.rank || seat.bound || !seat.node.empty()) continue;
    FreeSeat(in_force, std::string(uid));
    return;
  }
}

void CountDown(SiteCounts& counts, std::string_view site) {
  const auto count = counts.find(site);
  if (--count->second == 0) counts.erase(count);
}

std::string BlockSite(const PlanInForce& in_force, const SeatRequest& request) {
  if (!request.rank) return {};
  const auto site = in_force.plan.SiteOfRank(*request.rank);
  if (!site || in_force.FreeSeats(*site) == 0) return {};
  return Offered(request, *site) || !request.full ? *site : std::string();
}

}  // namespace

void FreeSeat(PlanInForce& in_force, std::string_view uid) {
  const auto found = in_force.seats.find(uid);
  if (found == in_force.seats.end()) return;
  CountDown(in_force.taken, found->second.site);
  if (found->second.HasNode()) CountDown(in_force.settled, found->second.site);
  in_force.seats.erase(found);
}

void PutSeat(PlanInForce& in_force, std::string_view uid, Seat seat) {
  FreeSeat(in_force, uid);
  ++in_force.taken[seat.site];
  if (seat.HasNode()) ++in_force.settled[seat.site];
  in_force.seats.emplace(uid, std::move(seat));
}

SeatOutcome TakeSeat(PlanInForce& in_force, const SeatRequest& request, MonotonicTime now) {
  const auto own = in_force.seats.find(request.uid);
  if (own != in_force.seats.end()) {
    Seat& seat = own->second;
    seat.since = now;
    const bool keeps = seat.bound || Offered(request, seat.site) || (!request.full && request.rank);
    if (keeps) return SeatOutcome::kSeated;
  }
  const auto offered = [&](std::string_view site) { return Offered(request, site); };
  std::string site;
  if (own == in_force.seats.end()) {
    SupersedeRank(in_force, request);
    site = BlockSite(in_force, request);
  }
  if (site.empty()) site = FreeSite(in_force, offered);
  if (site.empty() && own != in_force.seats.end()) {
    return request.full ? SeatOutcome::kNotOffered : SeatOutcome::kSeated;
  }
  const std::string any = FreeSite(in_force, [](std::string_view) { return true; });
  if (any.empty()) return SeatOutcome::kNoneLeft;
  if (site.empty() && request.full) return SeatOutcome::kNotOffered;
  PutSeat(in_force, request.uid,
          {.site = site.empty() ? any : site,
           .rank = request.rank,
           .node = {},
           .bound = false,
           .since = now});
  return SeatOutcome::kSeated;
}

}  // namespace fairlead::extender
