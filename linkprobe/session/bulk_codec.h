// Ends of a bandwidth test on the session protocol.
#pragma once

#include "common/base/result.h"
#include "fairlead/v1/session.pb.h"
#include "linkprobe/transport/bulk.h"

namespace fairlead::linkprobe {

void ToProto(const BulkEnd& end, v1::BulkEnd& out);

// kInvalidArgument for no queue or more than kMostBulkQueues, a GID that is not 16 bytes, or a
// number beyond 24 bits.
Result<BulkEnd> FromProto(const v1::BulkEnd& end);

}  // namespace fairlead::linkprobe
