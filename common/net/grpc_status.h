// Our errors as gRPC tells them.
#pragma once

#include "common/base/result.h"

namespace grpc {
class Status;
}  // namespace grpc

namespace fairlead {

// The status with the error's message and the code that comes nearest; kUnsupported becomes
// FAILED_PRECONDITION.
grpc::Status ToGrpcStatus(const Error& error);

}  // namespace fairlead
