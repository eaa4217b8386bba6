// Whether a job may enter the queue: before any of its pods exists, is there a place for it at all?
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "common/base/clock.h"
#include "common/base/snapshot.h"
#include "extender/cluster/cluster_view.h"
#include "extender/decision/decision_log.h"
#include "extender/decision/job_need.h"
#include "extender/link/link_view.h"

namespace fairlead::extender {

// What a scheduler is told of a job. There is no vote to let it in: where nothing is against a job,
// whoever else is asked decides.
enum class EnqueueVote { kAbstain, kReject };

// Rejects for a hard fact only: the job needs more `rdma/hca` at once than all nodes together have
// of any set of sites whose lines are not Down. Says why in the log; repeated answers for one job
// are there once. Thread-safe.
class EnqueueJudge {
 public:
  EnqueueJudge(const Snapshot<ClusterView>& cluster, const Snapshot<LinkSnapshot>& links,
               const Clock& clock, DecisionLog& log);

  EnqueueVote Judge(const JobNeed& job);

 private:
  void Record(const JobNeed& job, std::string sentence);

  const Snapshot<ClusterView>& cluster_;
  const Snapshot<LinkSnapshot>& links_;
  const Clock& clock_;
  DecisionLog& log_;

  std::mutex mutex_;
  std::map<std::string, std::string, std::less<>> told_;  // by job: the sentence in the log
};

}  // namespace fairlead::extender
