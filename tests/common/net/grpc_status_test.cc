#include "common/net/grpc_status.h"

#include <grpcpp/support/status.h>
#include <gtest/gtest.h>

namespace fairlead {
namespace {

TEST(GrpcStatusTest, KeepsTheMessageAndNeverTurnsAnErrorIntoSuccess) {
  const std::pair<ErrorCode, grpc::StatusCode> cases[] = {
      {ErrorCode::kInvalidArgument, grpc::StatusCode::INVALID_ARGUMENT},
      {ErrorCode::kNotFound, grpc::StatusCode::NOT_FOUND},
      {ErrorCode::kUnavailable, grpc::StatusCode::UNAVAILABLE},
      {ErrorCode::kPermissionDenied, grpc::StatusCode::PERMISSION_DENIED},
      {ErrorCode::kUnauthenticated, grpc::StatusCode::UNAUTHENTICATED},
      {ErrorCode::kResourceExhausted, grpc::StatusCode::RESOURCE_EXHAUSTED},
      {ErrorCode::kUnsupported, grpc::StatusCode::FAILED_PRECONDITION},
      {ErrorCode::kInternal, grpc::StatusCode::INTERNAL},
  };
  for (const auto& [ours, theirs] : cases) {
    const grpc::Status status = ToGrpcStatus({ours, "mlx5_0 is gone"});
    EXPECT_EQ(status.error_code(), theirs);
    EXPECT_EQ(status.error_message(), "mlx5_0 is gone");
  }
}

}  // namespace
}  // namespace fairlead
