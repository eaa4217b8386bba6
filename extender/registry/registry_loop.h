// The one owner of the link table, the roster of probes and their plans.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "common/base/clock.h"
#include "common/base/mailbox.h"
#include "common/base/snapshot.h"
#include "extender/decision/setup.h"
#include "extender/leader/leadership.h"
#include "extender/lease/lease_desk.h"
#include "extender/link/link_table.h"
#include "extender/registry/pair_keys.h"
#include "extender/registry/probe_line.h"
#include "extender/registry/probe_roster.h"
#include "extender/registry/registry_status.h"
#include "extender/registry/report_codec.h"

namespace fairlead::extender {

// Takes what streams bring, publishes link snapshots four times a second, and, while this replica
// leads, sends plans when the set of live probes changes and grants bandwidth
// leases. Everything happens on its own thread;
// Joined and Reported may be called from any. All references must outlive it.
class RegistryLoop {
 public:
  // Without `leadership` it leads, in term 0; without `external` only probes tell of lines. `gangs`
  // is asked once a second; without it no line is tested, since gangs may cross any.
  RegistryLoop(const Snapshot<Setup>& setup, const Clock& clock, RegistryObserver& observer,
               Snapshot<LinkSnapshot>& links, Snapshot<RegistryStatus>& status,
               const Snapshot<Leadership>* leadership = nullptr,
               const Snapshot<ExternalReadings>* external = nullptr,
               std::function<GangLines()> gangs = {}, LeaseTimes lease_times = {});
  ~RegistryLoop();

  // Closes all streams with kExtenderStopping; nothing is taken any more. Before the server that
  // the streams belong to is destroyed, or probes would see a line that breaks.
  void Stop();

  // A checked stream begins. False when too much is waiting.
  [[nodiscard]] bool Joined(ProbeIdentity identity, std::shared_ptr<ProbeLine> line);
  // A batch of that stream. False when too much is waiting; the batch is then lost.
  [[nodiscard]] bool Reported(DecodedBatch batch, std::shared_ptr<ProbeLine> line);

 private:
  struct Join {
    ProbeIdentity identity;
    std::shared_ptr<ProbeLine> line;
  };
  struct Report {
    DecodedBatch batch;
    std::shared_ptr<ProbeLine> line;
  };
  using Event = std::variant<Join, Report>;

  void Run(std::stop_token stop);
  void Handle(Join join);
  void Handle(Report report);
  void Tick(MonotonicTime now);
  void FollowLeadership(MonotonicTime now);
  void WantPlans(MonotonicTime now);
  void MakePlans();
  void SendPlan(ProbeRoster::Member& member, NodePlan plan);
  // Which probes could test which link, by the plans that they have.
  std::vector<TestPair> TestPairs() const;
  // Every minute, and sooner where a line is measured that was not, all probes hear of the lines.
  void TellLines(MonotonicTime now, const LinkSnapshot& links);
  void TurnLeases(MonotonicTime now, const LinkSnapshot& links);
  // The plans that leases alone have changed.
  void SendLeases(MonotonicTime now, const LinkSnapshot& links);
  std::optional<BandwidthLease> LeaseOf(const std::string& node) const;
  // What a replica that does not lead sends instead.
  NodePlan NoPlan() const { return {.term = term_, .revision = 0, .follows = true}; }

  const Snapshot<Setup>& setup_;
  const Clock& clock_;
  RegistryObserver& observer_;
  Snapshot<LinkSnapshot>& links_;
  Snapshot<RegistryStatus>& status_;
  const Snapshot<Leadership>* const leadership_;
  const Snapshot<ExternalReadings>* const external_;
  const std::function<GangLines()> gangs_;

  Mailbox<Event> events_{4096};
  std::shared_ptr<const Setup> configured_;
  LinkTable table_;
  ProbeRoster roster_;
  PairKeys keys_;
  LeaseDesk leases_;
  MonotonicTime next_leases_{};
  std::set<LinkKey> tested_;  // as the newest plans say
  MonotonicTime lines_told_at_{};
  std::set<LinkKey> lines_told_;  // which were measured when plans had them last
  bool leads_ = false;
  std::uint64_t term_ = 0;
  std::uint64_t revision_ = 0;
  std::uint64_t last_revision_ = 0;
  bool plans_due_ = false;
  MonotonicTime changed_at_{};       // when the set of probes changed last
  MonotonicTime unplanned_since_{};  // when it changed first since the newest plans
  std::jthread thread_;
};

}  // namespace fairlead::extender
