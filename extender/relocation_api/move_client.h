// Carries out the calls of relocations, and reads what they go by.
#pragma once

#include <memory>
#include <stop_token>

#include "common/base/result.h"
#include "common/kube/api_connection.h"
#include "extender/relocation/api_call.h"
#include "extender/relocation/move_facts.h"
#include "extender/relocation_api/move_facts_codec.h"
#include "extender/relocation_api/move_requests.h"

namespace fairlead::extender {

// For one thread; waits for each answer as long as the connection's limits say.
class MoveClient {
 public:
  explicit MoveClient(std::unique_ptr<kube::ApiConnection> connection)
      : connection_(std::move(connection)) {}

  // A call that this version does not know is kInvalid, and nothing is sent.
  CallOutcome Do(const MoveTarget& target, const ApiCall& call, const std::stop_token& stop = {});

  // Job and pods at this moment; budgets and rights are not among them. An owner that is gone, or
  // is another one of the same name, does not exist.
  Result<MoveFacts> Read(const MoveTarget& target, const SiteOfNode& site_of,
                         const std::stop_token& stop = {});

 private:
  std::unique_ptr<kube::ApiConnection> connection_;
};

}  // namespace fairlead::extender
