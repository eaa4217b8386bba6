// Carries out the calls of relocations, and reads what they go by.
#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "common/kube/api_connection.h"
#include "extender/cluster/cluster_event.h"
#include "extender/relocation/api_call.h"
#include "extender/relocation/move_facts.h"
#include "extender/relocation_api/move_requests.h"
#include "extender/relocation_api/read_members.h"
#include "extender/relocation_api/rights_cache.h"

namespace fairlead::extender {

// What controls a gang at the top.
struct TopOwner {
  OwnerFacts owner;
  bool has_workload = false;    // Kueue manages it
  bool wants_eviction = false;  // annotation migration-lever: evict
  std::string moves;            // its record; empty: none, or a kind that has no lever
};

// A move that another process may have left open.
struct LeftOpenMove {
  MoveTarget target;  // with the lever of its record
  std::string moves;
};

struct LeftOpenMoves {
  std::vector<LeftOpenMove> moves;
  std::vector<std::string> unread;  // kinds that may not be listed: one sentence each
};

// For one thread; waits for each answer as long as the connection's limits say.
class MoveClient {
 public:
  explicit MoveClient(std::unique_ptr<kube::ApiConnection> connection);
  // `clock` outlives it.
  MoveClient(std::unique_ptr<kube::ApiConnection> connection, const Clock& clock)
      : connection_(std::move(connection)), clock_(clock) {}

  // A call that the target's kind does not know is kInvalid, and nothing is sent.
  CallOutcome Do(const MoveTarget& target, const ApiCall& call, const std::stop_token& stop = {});

  // Creates the Event, which has a name, in the name of this process; that it is there already is
  // kDone.
  CallOutcome Tell(const ClusterEvent& event, const std::string& process, WallTime now,
                   const std::stop_token& stop = {});

  // All that the target's lever goes by, at this moment. An owner that is gone, or is another one
  // of the same name, does not exist, and nothing else is read. Budgets and rights are told only
  // until the record is at kStop, as nothing asks for them later. `forbidden` tells also what else
  // makes the lever the wrong one: the owner is itself controlled, Kueue or another controller
  // manages it, or the API server does not know a kind.
  //
  // What cannot be read whole is an error and never less than there is; holds and unwanted are not
  // filled in.
  Result<MoveFacts> Read(const MoveTarget& target, const SiteOfNode& site_of,
                         const std::stop_token& stop = {});

  // The top of the chain above a gang's pods, from what is known to control them or their Job: by
  // owner references, as far as kinds with a lever go. kNotFound where one of them is gone.
  Result<TopOwner> FindOwner(const std::string& namespace_name, const OwnerFacts& owner,
                             const std::stop_token& stop = {});

  // Every owner in the cluster with an open move, of all kinds that the API server knows: for a
  // process that begins to lead. Some have neither pods nor Jobs at this moment.
  Result<LeftOpenMoves> FindOpen(const std::stop_token& stop = {});

 private:
  kube::ApiResult<std::string> WorkloadPath(const MoveTarget& target, const std::string& uid,
                                            const std::stop_token& stop);

  std::unique_ptr<kube::ApiConnection> connection_;
  const Clock& clock_;
  RightsCache rights_;
};

}  // namespace fairlead::extender
