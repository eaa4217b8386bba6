// Decides about moves, round by round, and tells what came of it.
#pragma once

#include <functional>
#include <map>
#include <memory>

#include "common/base/clock.h"
#include "common/base/log_limit.h"
#include "common/base/snapshot.h"
#include "common/config/config.h"
#include "extender/cluster/cluster_event.h"
#include "extender/cluster/cluster_view.h"
#include "extender/decision/setup.h"
#include "extender/gang_plan/whole_room.h"
#include "extender/leader/leadership.h"
#include "extender/link/link_view.h"
#include "extender/migration/limit_watch.h"
#include "extender/migration/migration_decider.h"
#include "extender/migration_round/migration_report.h"
#include "extender/migration_round/verdict_book.h"
#include "extender/moves_in_hand/moves_report.h"

namespace fairlead::extender {

// All must outlive what reads them.
struct MigrationSources {
  const Snapshot<Config>& config;
  const Snapshot<Setup>& setup;
  const Snapshot<ClusterView>& cluster;
  const Snapshot<LinkSnapshot>& links;
  const Snapshot<Leadership>& leadership;
  const Clock& clock;
  std::function<WholeRoom(const GangView&, std::shared_ptr<const ClusterView>)> room_of;
  // Of who carries out moves; null: nobody does.
  const Snapshot<MovesReport>* moves = nullptr;
  // Is handed each round's report once it is published, on the round's thread.
  std::function<void(std::shared_ptr<const MigrationReport>)> made{};
};

// Single-threaded but for the report. Changes are logged, and Events told, by the replica that
// leads alone. A gang that is to move now counts as under way from that moment on, unless whoever
// carries out moves does not have it in hand afterwards.
class MigrationRounds {
 public:
  // `events` must outlive it.
  MigrationRounds(MigrationSources sources, EventSink& events)
      : sources_(std::move(sources)), events_(events) {}

  // One round, by what is known now.
  void Step();
  // Until the next one, by the newest configuration.
  Nanoseconds interval() const { return sources_.config.Get()->migration.interval; }

  const Snapshot<MigrationReport>& report() const { return report_; }

 private:
  void WithdrawUntaken(const MovesReport& moves);
  void Tell(const MigrationRound& round, const MigrationDecisions& decisions,
            const VerdictNews& news, const ClusterView& cluster);
  void Publish(MigrationRound round, MigrationDecisions decisions, const VerdictNews& news,
               MigrationMode mode);

  const MigrationSources sources_;
  EventSink& events_;
  LimitWatch limits_;
  MigrationDecider decider_;
  VerdictBook book_;
  LogLimit lines_{100, Seconds(60)};
  std::map<GangKey, std::uint64_t> decided_;  // to be moved, in which round
  bool led_ = false;
  std::uint64_t rounds_ = 0;
  std::map<MigrationReason, std::uint64_t> verdicts_;
  Snapshot<MigrationReport> report_;
};

}  // namespace fairlead::extender
