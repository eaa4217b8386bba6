// All that one relocation goes by, read at one moment.
#pragma once

#include <stop_token>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "common/kube/api_connection.h"
#include "extender/relocation/move_facts.h"
#include "extender/relocation_api/move_requests.h"
#include "extender/relocation_api/read_members.h"
#include "extender/relocation_api/rights_cache.h"

namespace fairlead::extender {

// See MoveClient::Read.
Result<MoveFacts> ReadMoveFacts(kube::ApiConnection& connection, const MoveTarget& target,
                                const SiteOfNode& site_of, RightsCache& rights, MonotonicTime now,
                                const std::stop_token& stop);

}  // namespace fairlead::extender
