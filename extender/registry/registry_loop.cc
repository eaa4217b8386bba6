#include "extender/registry/registry_loop.h"

#include <algorithm>
#include <map>
#include <utility>

#include "common/base/log.h"
#include "common/net/stream_end.h"
#include "extender/link/healed_sites.h"
#include "extender/plan/probe_mesh.h"
#include "extender/registry/report_clock.h"

namespace fairlead::extender {
namespace {

constexpr Nanoseconds kTick = Milliseconds(250);
// Probes that start together get one plan instead of one each, but nobody waits for ever.
constexpr Nanoseconds kSettle = Milliseconds(300);
constexpr Nanoseconds kLongestWait = Seconds(2);
constexpr Nanoseconds kLeasesEvery = Seconds(1);
// What the device plugin is told of a line counts for 10 minutes.
constexpr Nanoseconds kLinesEvery = Seconds(60);
constexpr Nanoseconds kNewLinesEvery = Seconds(5);

// Tests count for longer than it takes to make them anew.
TestLifetimes LifetimesOf(const BandwidthConfig& bandwidth) {
  const TestLifetimes least;
  return {.train = std::max(least.train, 3 * bandwidth.train_interval),
          .saturation = std::max(least.saturation, 3 * bandwidth.saturation_interval)};
}

// Numbers of a restarted extender must count as newer than those before it.
std::uint64_t NumberFrom(WallTime at) {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<Milliseconds>(at.time_since_epoch()).count());
}

// Lines by site, each site's looked for once.
class SiteLinesOnce {
 public:
  SiteLinesOnce(const LinkSnapshot& links, const LineCatalogue& catalogue, MonotonicTime now)
      : links_(links), catalogue_(catalogue), now_(now) {}
  const std::vector<SiteLine>& Of(const std::string& site) {
    const auto [at, is_new] = lines_.try_emplace(site);
    if (is_new) at->second = LinesOfSite(links_, catalogue_, site, now_);
    return at->second;
  }

 private:
  const LinkSnapshot& links_;
  const LineCatalogue& catalogue_;
  const MonotonicTime now_;
  std::map<std::string, std::vector<SiteLine>> lines_;
};

}  // namespace

RegistryLoop::RegistryLoop(const Snapshot<Setup>& setup, const Clock& clock,
                           RegistryObserver& observer, Snapshot<LinkSnapshot>& links,
                           Snapshot<RegistryStatus>& status, const Snapshot<Leadership>* leadership,
                           const Snapshot<ExternalReadings>* external,
                           std::function<GangLines()> gangs, LeaseTimes lease_times)
    : setup_(setup),
      clock_(clock),
      observer_(observer),
      links_(links),
      status_(status),
      leadership_(leadership),
      external_(external),
      gangs_(std::move(gangs)),
      leases_(NumberFrom(clock.WallNow()), lease_times),
      leads_(leadership == nullptr),
      last_revision_(NumberFrom(clock.WallNow())),
      thread_([this](std::stop_token stop) { Run(std::move(stop)); }) {}

RegistryLoop::~RegistryLoop() { Stop(); }

void RegistryLoop::Stop() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

bool RegistryLoop::Joined(ProbeIdentity identity, std::shared_ptr<ProbeLine> line) {
  return events_.Push(Join{std::move(identity), std::move(line)});
}

bool RegistryLoop::Reported(DecodedBatch batch, std::shared_ptr<ProbeLine> line) {
  return events_.Push(Report{std::move(batch), std::move(line)});
}

void RegistryLoop::Run(std::stop_token stop) {
  MonotonicTime next_tick = clock_.Now();
  while (!stop.stop_requested()) {
    if (clock_.Now() >= next_tick) {
      Tick(clock_.Now());
      next_tick = clock_.Now() + kTick;
    }
    if (auto event = events_.PopUntil(stop, next_tick)) {
      std::visit([this](auto&& value) { Handle(std::move(value)); }, *std::move(event));
    }
  }
  for (auto& [node, member] : roster_.members()) {
    if (member.line) member.line->Close({ErrorCode::kUnavailable, std::string(kExtenderStopping)});
  }
}

void RegistryLoop::Handle(Join join) {
  const std::string node = join.identity.node;
  LogInfo("probe connected", {{"node", node},
                              {"site", join.identity.site},
                              {"address", join.identity.session_address},
                              {"version", join.identity.software_version}});
  if (roster_.Join(std::move(join.identity), std::move(join.line))) {
    observer_.ReportRefused("duplicate_node");
    LogWarning("two probes claim one node; the newer one wins", {{"node", node}});
  }
  table_.OpenStream(node);
  leases_.Interrupted(node);
  if (!leads_) SendPlan(roster_.members().find(node)->second, NoPlan());
  WantPlans(clock_.Now());
}

void RegistryLoop::FollowLeadership(MonotonicTime now) {
  if (leadership_ == nullptr) return;
  const auto leadership = leadership_->Get();
  const bool leads = leadership->LeadsAt(now);
  if (leads == leads_ && leadership->term == term_) return;
  const bool ended = leads_ && !leads;
  leads_ = leads;
  term_ = leadership->term;
  if (leads) {
    leases_.NumberFrom(NumberFrom(clock_.WallNow()));
    WantPlans(now);
  }
  if (!ended) return;
  for (auto& [node, member] : roster_.members()) SendPlan(member, NoPlan());
}

void RegistryLoop::SendPlan(ProbeRoster::Member& member, NodePlan plan) {
  if (!member.line) return;
  member.line->SendPlan(plan);
  member.sent = std::move(plan);
}

void RegistryLoop::WantPlans(MonotonicTime now) {
  if (!plans_due_) unplanned_since_ = now;
  plans_due_ = true;
  changed_at_ = now;
}

void RegistryLoop::Handle(Report report) {
  const auto member = roster_.members().find(report.batch.batch.node);
  // A stream that has been replaced may still have had something under way.
  if (member == roster_.members().end() || member->second.line != report.line) return;
  for (const Refusal& refusal : report.batch.refused) {
    observer_.ReportRefused(refusal.reason);
    LogDebug("path report refused", {{"node", member->first}, {"reason", refusal.error.message}});
  }
  // On a stream's first report too, which nothing came ahead of.
  if (const auto timely = CheckReportTime(report.batch.batch.sent_at, clock_.WallNow()); !timely) {
    observer_.ReportRefused("clock");
    LogWarning("report batch refused",
               {{"node", member->first}, {"reason", timely.error().message}});
    report.line->Close(timely.error());
    return;
  }
  for (const LeaseAnswer& answer : leases_.Told(member->first, report.batch.leases, clock_.Now())) {
    LogInfo("bandwidth lease ended", {{"node", member->first},
                                      {"result", LeaseResultName(answer.result)},
                                      {"why", answer.why},
                                      {"spent_bytes", answer.spent_bytes}});
  }
  const auto outcome = table_.Ingest(std::move(report.batch.batch));
  if (!outcome) {
    observer_.ReportRefused("not_advancing");
    LogWarning("report batch refused",
               {{"node", member->first}, {"reason", outcome.error().message}});
    // The probe may begin afresh on a new stream, which also heals a clock that was set back.
    report.line->Close(outcome.error());
    return;
  }
  observer_.ReportsAccepted(outcome->accepted);
  for (const std::string& reason : outcome->refused) {
    observer_.ReportRefused("implausible");
    LogDebug("path report refused", {{"node", member->first}, {"reason", reason}});
  }
}

void RegistryLoop::Tick(MonotonicTime now) {
  const auto setup = setup_.Get();
  if (setup != configured_) {
    table_.Configure({.stale_after = setup->stale_after,
                      .representatives_per_site = setup->mesh.representatives_per_site,
                      .tests = LifetimesOf(setup->bandwidth)},
                     setup->lines);
    if (configured_) WantPlans(now);  // sites, floors and settings of the plans may have changed
    configured_ = setup;
  }
  std::vector<std::string> gone;
  if (roster_.Sweep(setup->inventory, now, gone)) WantPlans(now);
  for (const std::string& node : gone) {
    LogInfo("probe left", {{"node", node}});
    if (!setup->inventory.Find(node)) table_.ForgetNode(node);
  }
  FollowLeadership(now);
  if (leads_ && plans_due_ &&
      (now - changed_at_ >= kSettle || now - unplanned_since_ >= kLongestWait)) {
    MakePlans();
  }
  const auto connected = roster_.ConnectedBySite();
  if (external_ != nullptr) table_.SetExternal(external_->Get());
  table_.SetTested(leases_.Tested(now), leases_.Saturated(now), now);
  LinkSnapshot snapshot = table_.TakeSnapshot(now, connected);
  std::vector<std::string> healed = HealedSites(*links_.Get(), snapshot);
  links_.Publish(std::move(snapshot));
  if (!healed.empty()) observer_.LinesHealed(std::move(healed));
  status_.Publish({.connected = connected, .plan_revision = revision_, .leases = leases_.status()});
  TurnLeases(now, *links_.Get());
  TellLines(now, *links_.Get());
}

void RegistryLoop::MakePlans() {
  std::map<std::string, ProbeIdentity> probes;
  std::vector<ProbeNode> nodes;
  for (const auto& [node, member] : roster_.members()) {
    probes.emplace(node, member.identity);
    nodes.push_back({.node = node,
                     .site = member.identity.site,
                     .alive = true,
                     .has_hca = member.identity.has_hca});
  }
  const ProbeMesh mesh = MakeProbeMesh(std::move(nodes), configured_->mesh);
  auto plans = MakeNodePlans(probes, mesh, configured_->lines, keys_);
  if (!plans) {
    LogError("no probe plans can be made", {{"reason", plans.error().message}});
    return;  // tried again at the next tick
  }
  plans_due_ = false;
  const auto links = links_.Get();
  SiteLinesOnce lines(*links, configured_->lines, clock_.Now());
  revision_ = ++last_revision_;
  tested_ = leases_.Tested(clock_.Now());
  for (auto& [node, plan] : *plans) {
    ProbeRoster::Member& member = roster_.members().find(node)->second;
    plan.term = term_;
    plan.revision = revision_;
    plan.lease = LeaseOf(node);
    MarkTestedLines(tested_, plan);
    plan.lines = lines.Of(plan.site);
    const bool sent_before = member.sent.revision != 0;
    if (sent_before && member.sent.SameContent(plan)) continue;
    SendPlan(member, std::move(plan));
  }
  LogInfo("probe plans made",
          {{"revision", revision_}, {"nodes", plans->size()}, {"pairs", mesh.pairs.size()}});
}

std::optional<BandwidthLease> RegistryLoop::LeaseOf(const std::string& node) const {
  const BandwidthLease* lease = leases_.LeaseOf(node);
  return lease == nullptr ? std::nullopt : std::optional(*lease);
}

std::vector<TestPair> RegistryLoop::TestPairs() const {
  std::vector<TestPair> pairs;
  for (const auto& [node, member] : roster_.members()) {
    if (!member.line || member.sent.follows) continue;
    for (const PlanPeer& peer : member.sent.peers) {
      const auto other = roster_.members().find(peer.node);
      if (!peer.probe || peer.site == member.identity.site || other == roster_.members().end() ||
          !other->second.line) {
        continue;
      }
      pairs.push_back({.node = node,
                       .peer_node = peer.node,
                       .link = {member.identity.site, peer.site},
                       .has_hcas = member.identity.has_hca && other->second.identity.has_hca});
    }
  }
  return pairs;
}

void RegistryLoop::TellLines(MonotonicTime now, const LinkSnapshot& links) {
  if (!leads_ || plans_due_) return;
  const Nanoseconds told = now - lines_told_at_;
  if (!lines_told_.empty() && told < kNewLinesEvery) return;
  std::set<LinkKey> measured;
  for (const LinkView& view : links.links) {
    if (view.key.from_site != view.key.to_site && view.rtt_p50) measured.insert(view.key);
  }
  const bool more =
      !std::includes(lines_told_.begin(), lines_told_.end(), measured.begin(), measured.end());
  if (!more && told < kLinesEvery) return;
  lines_told_at_ = now;
  lines_told_ = std::move(measured);
  SiteLinesOnce lines(links, configured_->lines, now);
  for (auto& [node, member] : roster_.members()) {
    if (member.sent.revision == 0 || member.sent.follows) continue;
    const std::vector<SiteLine>& of_site = lines.Of(member.sent.site);
    if (of_site.empty() && member.sent.lines.empty()) continue;
    NodePlan plan = member.sent;
    plan.revision = ++last_revision_;
    plan.lease = LeaseOf(node);
    plan.lines = of_site;
    SendPlan(member, std::move(plan));
  }
}

void RegistryLoop::TurnLeases(MonotonicTime now, const LinkSnapshot& links) {
  if (now < next_leases_) return;
  next_leases_ = now + kLeasesEvery;
  const GangLines gangs = gangs_ ? gangs_() : GangLines{};
  table_.SetCrossed(gangs.known ? std::optional(gangs.crossed) : std::nullopt, now);
  const std::vector<TestPair> pairs = TestPairs();
  const auto changed = leases_.Turn({.now = now,
                                     .wall_now = clock_.WallNow(),
                                     .leads = leads_,
                                     .settings = configured_->bandwidth,
                                     .links = links,
                                     .gangs = gangs,
                                     .pairs = pairs});
  std::set<LinkKey> tested = leases_.Tested(now);
  // Plans that are due have all of it in them.
  if (!leads_ || plans_due_ || (changed.empty() && tested == tested_)) return;
  tested_ = std::move(tested);
  SendLeases(now, links);
}

void RegistryLoop::SendLeases(MonotonicTime now, const LinkSnapshot& links) {
  SiteLinesOnce lines(links, configured_->lines, now);
  for (auto& [node, member] : roster_.members()) {
    if (!member.line || member.sent.revision == 0) continue;
    NodePlan plan = member.sent;
    plan.lease = LeaseOf(node);
    MarkTestedLines(tested_, plan);
    if (plan.SameContent(member.sent)) continue;
    plan.revision = ++last_revision_;
    plan.lines = lines.Of(plan.site);
    if (plan.lease && plan.lease != member.sent.lease) {
      LogInfo("bandwidth lease granted", {{"node", node},
                                          {"peer", plan.lease->peer_node},
                                          {"kind", LeaseKindName(plan.lease->kind)},
                                          {"most_bytes", plan.lease->most_bytes}});
    }
    SendPlan(member, std::move(plan));
  }
}

}  // namespace fairlead::extender
