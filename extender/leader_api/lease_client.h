// One replica's requests about its Lease.
#pragma once

#include <memory>
#include <stop_token>
#include <string>

#include "common/base/clock.h"
#include "common/kube/api_connection.h"
#include "common/kube/api_error.h"
#include "extender/leader/lease_machine.h"
#include "extender/leader_api/lease_codec.h"

namespace fairlead::extender {

struct LeasePlace {
  std::string namespace_name;
  std::string name;
};

// For one thread. Update is only possible for what was read or written last.
class LeaseClient {
 public:
  LeaseClient(LeasePlace place, std::unique_ptr<kube::ApiConnection> connection,
              const Clock& clock);

  // Carries out kRead, kCreate or kUpdate: the Lease as it is now. The error's message says what
  // was tried and, where RBAC is in the way, what to grant.
  kube::ApiResult<KnownLease> Do(const LeaseAction& action, const std::stop_token& stop);

 private:
  kube::ApiRequest RequestFor(const LeaseAction& action) const;

  const LeasePlace place_;
  const std::unique_ptr<kube::ApiConnection> connection_;
  const Clock& clock_;
  KnownLease known_;
};

}  // namespace fairlead::extender
