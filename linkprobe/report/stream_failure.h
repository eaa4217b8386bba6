// Why the extender ended or refused the report stream, and what to do about it.
#pragma once

#include "common/base/result.h"

namespace grpc {
class Status;
}  // namespace grpc

namespace fairlead::linkprobe {

// OK for a stream that ended in order; else the extender's words and the remedy.
Status DescribeStreamFailure(const grpc::Status& status);

}  // namespace fairlead::linkprobe
