#include "linkprobe/report/stream_failure.h"

#include <grpcpp/support/status.h>

#include <string>

#include "common/net/stream_end.h"

namespace fairlead::linkprobe {

Status DescribeStreamFailure(const grpc::Status& status) {
  const std::string said = status.error_message();
  if (status.error_code() == grpc::StatusCode::UNAVAILABLE && said == kExtenderStopping) return {};
  switch (status.error_code()) {
    case grpc::StatusCode::OK:
      return {};
    case grpc::StatusCode::UNAUTHENTICATED:
      return Fail(ErrorCode::kUnauthenticated, "the extender does not accept this node's token: " +
                                                   said + "; check linkprobe.tokenFile");
    case grpc::StatusCode::PERMISSION_DENIED:
      return Fail(ErrorCode::kPermissionDenied,
                  "the token proves another node: " + said + "; check --node-name");
    case grpc::StatusCode::NOT_FOUND:
      return Fail(ErrorCode::kNotFound, "the extender does not know this node or its site: " +
                                            said + "; check nodes and sites in its config");
    case grpc::StatusCode::ALREADY_EXISTS:
      return Fail(ErrorCode::kInvalidArgument,
                  "another probe reports under this node name: " + said);
    case grpc::StatusCode::FAILED_PRECONDITION:
      return Fail(ErrorCode::kUnsupported,
                  "the extender refuses this probe: " + said + "; are both of one version?");
    case grpc::StatusCode::INVALID_ARGUMENT:
      return Fail(ErrorCode::kInvalidArgument, "the extender refused a message: " + said);
    case grpc::StatusCode::RESOURCE_EXHAUSTED:
      return Fail(ErrorCode::kResourceExhausted, "the extender is at a limit: " + said);
    default:  // transport trouble of every kind, and codes to come
      return Fail(ErrorCode::kUnavailable,
                  "the extender cannot be reached: " + said + "; check linkprobe.extender and tls");
  }
}

}  // namespace fairlead::linkprobe
