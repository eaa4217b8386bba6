// Volcano's JobInfo struct in JSON.
#pragma once

#include <cstddef>
#include <string_view>

#include "extender/decision/job_need.h"
#include "extender/http/json_cursor.h"

namespace fairlead::extender::json {

// Reads what the job needs. `hcas` is the larger of what the PodGroup's minResources says
// (rdma/hca, or the same with `requests.` or `limits.` before it) and of the members times the
// least that any of its tasks asks for. A member of another type is left out; on an error `where`
// names the field. `limit` is the length of the document.
error_code ReadJob(od::value& job, std::size_t limit, JobNeed& need, std::string_view& where);

}  // namespace fairlead::extender::json
