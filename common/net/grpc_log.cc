#include "common/net/grpc_log.h"

#include <grpc/support/log.h>

#include "common/base/log.h"

namespace fairlead {
namespace {

void Write(gpr_log_func_args* line) {
  Log(line->severity == GPR_LOG_SEVERITY_DEBUG ? LogLevel::kDebug : LogLevel::kInfo, "grpc",
      {{"text", line->message}, {"file", line->file}, {"line", line->line}});
}

}  // namespace

void RouteGrpcLog() { gpr_set_log_function(Write); }

}  // namespace fairlead
