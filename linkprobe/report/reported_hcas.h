// The RDMA ports as the extender is told of them.
#pragma once

#include <vector>

#include "linkprobe/report/report_stream.h"

namespace fairlead::linkprobe {

// Reads the devices; an unreadable host reports none.
std::vector<ReportedHca> ReadReportedHcas();

}  // namespace fairlead::linkprobe
