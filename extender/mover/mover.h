// Carries out the moves that are decided, call by call, on a thread.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

#include "common/base/clock.h"
#include "common/base/snapshot.h"
#include "common/config/config.h"
#include "extender/cluster/cluster_event.h"
#include "extender/cluster/cluster_view.h"
#include "extender/leader/leadership.h"
#include "extender/migration_round/migration_report.h"
#include "extender/moves_in_hand/moves_in_hand.h"
#include "extender/relocation_api/move_client.h"

namespace fairlead::extender {

// All must outlive the mover.
struct MoverSources {
  const Snapshot<Config>& config;
  const Snapshot<ClusterView>& cluster;
  const Snapshot<Leadership>& leadership;
  const Clock& clock;
};

// What a call may take until its answer: so long at most the moves of other gangs wait for one
// request of this one. Well within the Lease's time.
inline constexpr kube::ConnectionLimits kMoveLimits{.connect = Seconds(3), .answer = Seconds(5)};

// Whether this replica leads is asked, by its own clock, before every single request. What it had
// in hand when it ceases to lead it forgets: all that matters is recorded on the owners. A round's
// decisions are taken up at once, and what an earlier leader left open within a second.
class Mover {
 public:
  // `events` must outlive it; `process` names this process among all that ever were, in one word.
  Mover(const MoverSources& sources, MoveClient client, EventSink& events, std::string process);

  // Thread-safe, never waits.
  void RoundMade(std::shared_ptr<const MigrationReport> decided);
  const Snapshot<MovesReport>& report() const { return report_; }
  // Returns once no request is under way; one that is, is given up.
  void Stop();

 private:
  void Run(const std::stop_token& stop);
  void Step(const std::stop_token& stop);
  void TakeNewest();
  void Carry(const MoveTask& task, const std::stop_token& stop);
  void TellFirst(const MoveNews& news, const std::stop_token& stop);
  void FindOpen(const std::stop_token& stop);
  Result<FoundOwner> FindOwner(const MoveTarget& target, const std::stop_token& stop);
  bool Leads() const;
  MoveSurroundings Around(const Config& config) const;
  Moment Now() const { return {sources_.clock.Now(), sources_.clock.WallNow()}; }
  void TellNews();
  void Publish(bool acts);
  Nanoseconds UntilNext() const;

  const MoverSources sources_;
  MoveClient client_;
  EventSink& events_;
  const std::string process_;
  MovesInHand moves_;
  bool led_ = false;
  std::shared_ptr<const MigrationReport> decided_ = std::make_shared<const MigrationReport>();
  Snapshot<MovesReport> report_;

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::shared_ptr<const MigrationReport> newest_;  // that the thread has not taken; may be null
  std::jthread thread_;
};

}  // namespace fairlead::extender
