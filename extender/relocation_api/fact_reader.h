// Reads what one relocation goes by, request by request.
#pragma once

#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "common/kube/api_connection.h"
#include "extender/relocation/move_facts.h"
#include "extender/relocation_api/move_requests.h"
#include "extender/relocation_api/read_members.h"
#include "extender/relocation_api/read_owner.h"
#include "extender/relocation_api/read_workload.h"

namespace fairlead::extender {

// For one thread and one reading.
class FactReader {
 public:
  FactReader(kube::ApiConnection& connection, const MoveTarget& target, const std::stop_token& stop)
      : connection_(connection), target_(target), stop_(stop) {}

  // state.exists is false where it is gone, or another one of the same name is there.
  kube::ApiResult<OwnerReading> Owner();
  // By name. Takes from `owner.size` the members whose Jobs have finished; a TrainJob's size is the
  // one of its JobSet, or 0.
  kube::ApiResult<std::vector<MemberReading>> Members(OwnerReading& owner,
                                                      const SiteOfNode& site_of);
  kube::ApiResult<std::vector<BudgetState>> Budgets(const std::vector<MemberReading>& members);
  kube::ApiResult<WorkloadReading> Workload();
  kube::ApiResult<bool> CommandWaits();

 private:
  // What may control pods of the gang.
  kube::ApiResult<std::set<std::string>> Controllers(OwnerReading& owner);

  kube::ApiConnection& connection_;
  const MoveTarget& target_;
  const std::stop_token& stop_;
};

}  // namespace fairlead::extender
